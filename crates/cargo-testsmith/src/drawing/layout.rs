//! Where things stand in a drawing of three columns: types that are needed, members, types that are provided.
//!
//! Members keep their order; each has a port for each of its ties, so that labels never meet. Types stand as near as
//! possible to the middle of the members that they are tied to.

use std::collections::BTreeMap;

use testsmith_model::graph::Direction;

use super::view::{Row, Tie, View};

/// Of a character of the font that is used, at the sizes for names and labels.
const NAME_WIDTH: f64 = 7.3;
const LABEL_WIDTH: f64 = 6.1;

const MARGIN: f64 = 24.0;
/// Between two ports.
const PORT: f64 = 15.0;
/// Around the ports of a member.
const AROUND: f64 = 8.0;
/// Between two members.
const GAP: f64 = 6.0;
/// Of a heading.
const HEADING: f64 = 34.0;
/// Of a type.
pub(super) const PILL: f64 = 24.0;
const PILL_GAP: f64 = 10.0;
/// Where edges run.
const CHANNEL: f64 = 170.0;
/// Above everything: title and legend.
const TOP: f64 = 96.0;
/// The legend is as wide as this.
const LEAST_WIDTH: f64 = 760.0;

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Area {
    pub(super) fn middle(&self) -> f64 {
        self.y + self.height / 2.0
    }
}

/// Everything in its place.
pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    /// Names of units, where their members begin.
    pub(super) headings: Vec<(f64, f64, String)>,
    /// By row.
    pub(super) members: Vec<Area>,
    /// By direction and node.
    pub(super) types: BTreeMap<(Direction, usize), Area>,
    /// By row and tie, the height of its port.
    pub(super) ports: Vec<Vec<f64>>,
    /// Room for labels beside the members, on either side.
    pub(super) label_room: [f64; 2],
}

pub(super) fn lay_out(view: &View<'_>, rows: &[Row]) -> Layout {
    let ties = || rows.iter().flat_map(|row| &row.ties);
    let name_width = |node: usize| width(&view.graph.nodes[node].name, NAME_WIDTH) + 24.0;
    let widest = |direction: Direction| {
        ties().filter(|tie| tie.direction == direction).map(|tie| name_width(tie.node)).fold(0.0, f64::max)
    };
    let room = |direction: Direction| {
        let labels =
            ties().filter(|tie| tie.direction == direction).map(|tie| width(&tie.label, LABEL_WIDTH) + 14.0);
        labels.fold(0.0, f64::max)
    };
    let label_room = [room(Direction::Needs), room(Direction::Provides)];
    let member_width = rows.iter().map(|row| width(&row.label, NAME_WIDTH) + 24.0).fold(120.0, f64::max);
    let member_x = MARGIN + widest(Direction::Needs) + CHANNEL + label_room[0];
    let right_x = member_x + member_width + label_room[1] + CHANNEL;
    let mut layout = Layout {
        width: (right_x + widest(Direction::Provides) + MARGIN).max(LEAST_WIDTH),
        height: 0.0,
        headings: Vec::new(),
        members: Vec::new(),
        types: BTreeMap::new(),
        ports: Vec::new(),
        label_room,
    };
    let bottom = layout.place_members(rows, member_x, member_width);
    for direction in [Direction::Needs, Direction::Provides] {
        for (node, y) in layout.heights(rows, direction) {
            let own = name_width(node);
            let x = if direction == Direction::Needs { MARGIN + widest(direction) - own } else { right_x };
            layout.types.insert((direction, node), Area { x, y, width: own, height: PILL });
        }
    }
    let lowest = layout.types.values().map(|area| area.y + area.height).fold(bottom, f64::max);
    layout.height = lowest + MARGIN;
    layout
}

impl Layout {
    /// Puts the members below each other; gives where they end.
    fn place_members(&mut self, rows: &[Row], x: f64, width: f64) -> f64 {
        let mut y = TOP;
        let mut unit = "";
        for row in rows {
            if row.unit != unit {
                unit = &row.unit;
                self.headings.push((x, y + HEADING - 12.0, row.unit.clone()));
                y += HEADING;
            }
            let count =
                |direction: Direction| row.ties.iter().filter(|tie| tie.direction == direction).count();
            let ports = count(Direction::Needs).max(count(Direction::Provides)).max(1);
            let height = ports_height(ports) + AROUND;
            self.ports.push(ports_of(&row.ties, y + height / 2.0));
            self.members.push(Area { x, y, width, height });
            y += height + GAP;
        }
        y
    }

    /// Where the types of a column stand: near the middle of their ports, in that order, without touching.
    fn heights(&self, rows: &[Row], direction: Direction) -> Vec<(usize, f64)> {
        let mut ports: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for (row, heights) in rows.iter().zip(&self.ports) {
            for (tie, y) in row.ties.iter().zip(heights).filter(|(tie, _)| tie.direction == direction) {
                ports.entry(tie.node).or_default().push(*y);
            }
        }
        let middle = |(node, ys): (usize, Vec<f64>)| {
            let count = u32::try_from(ys.len()).map_or(1.0, f64::from);
            (node, ys.iter().sum::<f64>() / count - PILL / 2.0)
        };
        let mut wanted: Vec<(usize, f64)> = ports.into_iter().map(middle).collect();
        wanted.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        spread(&mut wanted);
        wanted
    }
}

/// Moves heights apart, as little as possible: what touches becomes a block around the middle of what its parts want.
fn spread(wanted: &mut [(usize, f64)]) {
    let step = PILL + PILL_GAP;
    // Each block: where it begins if it had its way, summed over its parts, and how many parts.
    let mut blocks: Vec<(f64, f64)> = Vec::new();
    for (_, y) in wanted.iter() {
        let mut block = (*y, 1.0);
        while let Some((sum, count)) = blocks.last().copied() {
            let (start, own) = ((sum / count).max(TOP), block.0 / block.1);
            if start + count * step <= own {
                break;
            }
            blocks.pop();
            // The parts of the later block begin `count` steps further down.
            block = (sum + block.0 - block.1 * count * step, count + block.1);
        }
        blocks.push(block);
    }
    let mut at = 0;
    for (sum, count) in blocks {
        let mut y = (sum / count).max(TOP);
        let mut left = count;
        while left > 0.5 {
            wanted[at].1 = y;
            (at, y, left) = (at + 1, y + step, left - 1.0);
        }
    }
}

fn ports_height(ports: usize) -> f64 {
    u32::try_from(ports).map_or(0.0, f64::from) * PORT
}

/// Heights of the ports around the middle of a member.
fn ports_of(ties: &[Tie], middle: f64) -> Vec<f64> {
    let mut heights = Vec::new();
    for direction in [Direction::Needs, Direction::Provides] {
        let count = ties.iter().filter(|tie| tie.direction == direction).count();
        let mut y = middle - ports_height(count) / 2.0 + PORT / 2.0;
        // Ties are sorted by direction.
        for _ in 0..count {
            heights.push(y);
            y += PORT;
        }
    }
    heights
}

/// Of a text in a font where all characters are of one width.
fn width(text: &str, each: f64) -> f64 {
    u32::try_from(text.chars().count()).map_or(0.0, f64::from) * each
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_stand_apart_and_near_to_where_they_want_to_be() {
        let spread_out = |ys: &[f64]| {
            let mut wanted: Vec<_> = ys.iter().copied().enumerate().collect();
            spread(&mut wanted);
            wanted.into_iter().map(|(_, y)| y).collect::<Vec<_>>()
        };
        assert_eq!(spread_out(&[200.0, 300.0]), [200.0, 300.0]);
        assert_eq!(spread_out(&[300.0, 300.0]), [283.0, 317.0]);
        assert_eq!(spread_out(&[0.0, 0.0, 500.0]), [TOP, TOP + 34.0, 500.0]);
        let crowd = spread_out(&[400.0; 9]);
        assert!(crowd.windows(2).all(|pair| pair[1] - pair[0] >= PILL + PILL_GAP), "{crowd:?}");
        assert!((crowd[4] - 400.0).abs() < 0.01, "{crowd:?}");
    }
}
