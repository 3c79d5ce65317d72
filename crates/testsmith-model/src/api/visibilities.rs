//! Where a test has to stand to use a callable: the innermost module that one of the private things is visible in which the
//! callable names, or which it is itself.

use std::collections::{BTreeMap, HashMap};

use testsmith_ir::Visibility;
use testsmith_ir::api::{Api, Callable};

use super::Model;
use super::doc::{Doc, Item, Kind, Shape};
use super::paths::Paths;
use super::table::wanted;

/// Notes the visibility of every callable of a crate all of which can be used from `within` at most. What no test can see is
/// taken out.
pub(super) fn settle(model: &mut Model, doc: &Doc, within: &Visibility) {
    let name = doc.get(&doc.root).map(|root| root.name.clone()).unwrap_or_default();
    let names = Named { paths: Paths::find_within(doc, &name, within), root: format!("::{name}::") };
    let mut items: HashMap<usize, Vec<&Item>> = HashMap::new();
    for origin in &model.origins {
        let Some(item) = doc.get(&origin.item) else { continue };
        origin.callables.iter().for_each(|at| items.entry(*at).or_default().push(item));
    }
    let mut homeless = BTreeMap::new();
    let mut visibilities = Vec::new();
    for (at, (id, callable)) in model.api.callables().enumerate() {
        let own = items.get(&at).into_iter().flatten().flat_map(|item| of_item(doc, item));
        let all = own.chain(names.of_callable(&model.api, callable));
        let visibility =
            all.into_iter().try_fold(Visibility::Anywhere, |visibility, other| visibility.join(other));
        if visibility.is_none() {
            homeless.insert(id, "no module of the crate sees all that it needs".to_owned());
        }
        visibilities.push(visibility.unwrap_or_default());
    }
    model.api.visibilities = visibilities;
    model.remove(&homeless);
}

/// The visibilities of an item and of what is written out with it.
fn of_item<'d>(doc: &'d Doc, item: &'d Item) -> Vec<&'d Visibility> {
    let fields: Vec<_> = match &item.kind {
        Kind::Struct { shape: Shape::Tuple(fields), .. } => fields.iter().flatten().collect(),
        Kind::Struct { shape: Shape::Plain { fields, .. }, .. } => fields.iter().collect(),
        _ => Vec::new(),
    };
    let fields = fields.into_iter().filter_map(|id| doc.get(id)).map(|field| &field.visibility);
    std::iter::once(&item.visibility).chain(fields).collect()
}

/// Knows the crate's items by their paths.
struct Named {
    paths: Paths,
    /// What such a path begins with: `::semver::`.
    root: String,
}

impl Named {
    /// The visibilities of all that the code of a callable names, and of the types of its parameters and its result, which a test
    /// may have to write.
    fn of_callable<'a>(
        &'a self,
        api: &'a Api,
        callable: &'a Callable,
    ) -> impl Iterator<Item = &'a Visibility> {
        let params = callable.params.iter().filter_map(|param| wanted(param.accepts));
        let types = params.chain([callable.output]).map(|id| api[id].text.as_str());
        types.chain([callable.code.as_str()]).flat_map(|text| self.in_text(text))
    }

    /// The visibilities of the items whose paths stand in a text. All paths are whole there.
    fn in_text<'a>(&'a self, text: &'a str) -> impl Iterator<Item = &'a Visibility> {
        let starts = text.match_indices(&self.root).map(|(at, _)| &text[at + 2..]);
        starts.filter_map(|path| {
            let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
            let end = path.find(|c| !is_part(c)).unwrap_or(path.len());
            let mut path = path[..end].trim_end_matches(':');
            // What stands behind the item is a variant, or a member of it.
            loop {
                if let Some(visibility) = self.paths.visibility(path) {
                    return Some(visibility);
                }
                path = path.rsplit_once("::")?.0;
            }
        })
    }
}
