//! Drawings of a dependence graph: as text, for Graphviz, and as an SVG that needs no other program.
//!
//! [`View`] is the part of the graph that is drawn, in rows; `text`, `dot` and `svg` write it.

mod dot;
mod layout;
mod svg;
mod text;
mod view;

#[cfg(test)]
mod tests;

pub(crate) use view::{View, is_own};

use crate::cli::GraphFormat;

impl View<'_> {
    /// The drawing.
    pub(crate) fn draw(&self, format: GraphFormat) -> String {
        match format {
            GraphFormat::Text => text::write(self),
            GraphFormat::Dot => dot::write(self),
            GraphFormat::Svg => svg::write(self),
        }
    }
}
