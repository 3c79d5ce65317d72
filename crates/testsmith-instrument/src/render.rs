//! Writes the meta-program's text for one file, and remembers which bytes belong to which site, so that the
//! compiler's words can be traced back.

use std::ops::Range;

use crate::open::Opening;
use crate::plan::Plan;
use crate::site::{Choice, Part, Site};

/// The text of a rewritten file.
pub struct Rendered {
    /// The text, with the byte order mark that the file had.
    pub text: String,
    /// Stretches of the text that sites have written, outer before inner.
    pub(crate) pieces: Vec<Piece>,
    /// Where each stretch of the source has gone: `(in source, in text)`, both ascending.
    copied: Vec<(Range<usize>, Range<usize>)>,
}

/// A stretch that a site has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) range: Range<usize>,
    /// Index of the site in its file.
    pub(crate) site: usize,
    /// The mutant whose arm it is; `None` for the whole site.
    pub(crate) mutant: Option<u32>,
}

impl Rendered {
    /// The byte of the source that a byte of the text came from, or the nearest one before it.
    pub(crate) fn to_source(&self, offset: usize) -> usize {
        let after = self.copied.iter().filter(|(_, to)| to.start <= offset);
        after.map(|(from, to)| (from.start + (offset - to.start)).min(from.end)).next_back().unwrap_or(0)
    }
}

/// Renders a file of the plan.
pub fn render(plan: &Plan, file: usize) -> Rendered {
    let source = &plan.tree.files[file];
    let written: Vec<(usize, &Site)> =
        plan.sites[file].iter().enumerate().filter(|(_, site)| plan.is_written(site)).collect();
    let mut writer = Writer {
        plan,
        source: &source.text,
        openings: &plan.openings[file].all,
        out: Rendered {
            text: if source.bom { "\u{feff}".to_owned() } else { String::new() },
            pieces: Vec::new(),
            copied: Vec::new(),
        },
    };
    writer.stretch(0..source.text.len(), &nest(written));
    writer.out
}

/// A site with the sites inside of it.
struct Node<'a> {
    index: usize,
    site: &'a Site,
    inner: Vec<Node<'a>>,
}

/// Orders sites by place and nests them; of two with the same range the one found first is the outer one, and an
/// insertion comes before whatever starts at its place.
fn nest(mut sites: Vec<(usize, &Site)>) -> Vec<Node<'_>> {
    sites.sort_by_key(|(index, site)| {
        (site.range.start, !site.range.is_empty(), std::cmp::Reverse(site.range.end), *index)
    });
    let mut sites = sites.into_iter().peekable();
    children(&mut sites, usize::MAX)
}

fn children<'a>(
    sites: &mut std::iter::Peekable<impl Iterator<Item = (usize, &'a Site)>>,
    end: usize,
) -> Vec<Node<'a>> {
    let mut nodes = Vec::new();
    while let Some((_, site)) = sites.peek()
        && site.range.end <= end
    {
        let (index, site) = sites.next().expect("it was peeked at");
        // An insertion holds nothing, even where the next site starts.
        let inner = if site.range.is_empty() { Vec::new() } else { children(sites, site.range.end) };
        nodes.push(Node { index, site, inner });
    }
    nodes
}

struct Writer<'a> {
    plan: &'a Plan,
    source: &'a str,
    /// Those that have not been written yet; none is inside of a site.
    openings: &'a [Opening],
    out: Rendered,
}

impl Writer<'_> {
    /// Writes a stretch of the source with the sites in it.
    fn stretch(&mut self, range: Range<usize>, nodes: &[Node<'_>]) {
        let mut at = range.start;
        let inside = |site: &Site| range.start <= site.range.start && site.range.end <= range.end;
        for node in nodes.iter().filter(|node| inside(node.site)) {
            self.copy(at..node.site.range.start);
            self.site(node);
            at = node.site.range.end;
        }
        self.copy(at..range.end);
    }

    /// Copies a stretch, with the openings up to its end: what follows may be a site that starts where an item does.
    fn copy(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while let Some((opening, rest)) = self.openings.split_first()
            && opening.range.end <= range.end
        {
            self.copy_plain(at..opening.range.start);
            self.out.text.push_str(opening.text);
            at = opening.range.end;
            self.openings = rest;
        }
        self.copy_plain(at..range.end);
    }

    fn copy_plain(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let start = self.out.text.len();
        self.out.text.push_str(&self.source[range.clone()]);
        self.out.copied.push((range, start..self.out.text.len()));
    }

    fn site(&mut self, node: &Node<'_>) {
        let piece = self.open(node.index, None);
        self.parts(&node.site.parts, node);
        self.close(piece);
    }

    fn parts(&mut self, parts: &[Part], node: &Node<'_>) {
        for part in parts {
            match part {
                Part::Text(text) => self.out.text.push_str(text),
                Part::Source(range) => self.stretch(range.clone(), &node.inner),
                Part::Newlines(range) => {
                    let newlines = self.source[range.clone()].matches('\n').count();
                    self.out.text.extend(std::iter::repeat_n('\n', newlines));
                }
                Part::Choice(choice) => self.choice(choice, node),
            }
        }
    }

    /// `match call { 0 | dead… => original, k => mutant, …, _ => last mutant }`: the original first, because it
    /// settles the types.
    fn choice(&mut self, choice: &Choice, node: &Node<'_>) {
        let numbered = || choice.mutants.iter().zip(node.site.base..).zip(1u32..);
        let (alive, dead): (Vec<_>, Vec<_>) =
            numbered().partition(|((_, number), _)| self.plan.is_alive(*number));
        self.out.text.push_str("match ");
        self.out.text.push_str(&choice.call);
        self.out.text.push_str(" { 0");
        for (_, arm) in dead {
            self.out.text.push_str(&format!(" | {arm}"));
        }
        self.out.text.push_str(" => ");
        self.parts(&choice.original, node);
        let last = alive.len().saturating_sub(1);
        for (at, ((text, number), arm)) in alive.into_iter().enumerate() {
            let pattern = if at == last { "_".to_owned() } else { arm.to_string() };
            self.out.text.push_str(&format!(", {pattern} => "));
            let piece = self.open(node.index, Some(number));
            self.out.text.push_str(text);
            self.close(piece);
        }
        self.out.text.push_str(" }");
    }

    fn open(&mut self, site: usize, mutant: Option<u32>) -> usize {
        let start = self.out.text.len();
        self.out.pieces.push(Piece { range: start..start, site, mutant });
        self.out.pieces.len() - 1
    }

    fn close(&mut self, piece: usize) {
        self.out.pieces[piece].range.end = self.out.text.len();
    }
}
