//! The nodes of types: references and owners are looked through, arguments of the crate's types left out.

use syn::{GenericArgument, PathArguments, Type};

use super::Node;

/// Types of the standard library that stand for what they hold.
const TRANSPARENT: [&str; 23] = [
    "Option",
    "Result",
    "Vec",
    "VecDeque",
    "LinkedList",
    "BinaryHeap",
    "Box",
    "Rc",
    "Arc",
    "Cow",
    "HashMap",
    "HashSet",
    "BTreeMap",
    "BTreeSet",
    "Reverse",
    "Wrapping",
    "Saturating",
    "Bound",
    "Range",
    "RangeInclusive",
    "RangeFrom",
    "RangeTo",
    "RangeToInclusive",
];

/// Types whose values are written down.
const PLAIN: [&str; 23] = [
    "bool",
    "char",
    "str",
    "String",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "f32",
    "f64",
    "Path",
    "PathBuf",
    "OsStr",
    "OsString",
    "RangeFull",
];

/// The nodes that a type stands for: `Option<(usize, &Slab<i32>)>` for `usize` and `Slab`. None for what only the
/// compiler can name.
///
/// `root` is the name of the crate, which goes without saying.
pub(super) fn nodes(text: &str, root: &str) -> Vec<Node> {
    let mut folder = Folder { root, found: Vec::new() };
    if let Ok(ty) = syn::parse_str::<Type>(text) {
        folder.add(&ty);
    }
    folder.found
}

struct Folder<'r> {
    root: &'r str,
    found: Vec<Node>,
}

impl Folder<'_> {
    fn add(&mut self, ty: &Type) {
        match ty {
            Type::Reference(reference) => self.add(&reference.elem),
            Type::Paren(inner) => self.add(&inner.elem),
            Type::Group(inner) => self.add(&inner.elem),
            Type::Slice(slice) => self.add(&slice.elem),
            Type::Array(array) => self.add(&array.elem),
            Type::Tuple(tuple) => tuple.elems.iter().for_each(|ty| self.add(ty)),
            Type::Path(path) => self.add_path(&path.path),
            Type::TraitObject(object) => {
                let bound = object.bounds.iter().find_map(|bound| match bound {
                    syn::TypeParamBound::Trait(bound) => bound.path.segments.last(),
                    _ => None,
                });
                self.found.extend(bound.map(|last| node(format!("dyn {}", last.ident))));
            }
            Type::FnPtr(_) => self.found.push(node("fn(…)".to_owned())),
            _ => {}
        }
    }

    fn add_path(&mut self, path: &syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let Some(last) = path.segments.last() else { return };
        let name = last.ident.to_string();
        let is_standard = names.len() == 1 || matches!(names[0].as_str(), "std" | "core" | "alloc");
        if is_standard && TRANSPARENT.contains(&name.as_str()) {
            return self.add_arguments(&last.arguments);
        }
        let is_plain = is_standard && PLAIN.contains(&name.as_str());
        let shown = match names.as_slice() {
            _ if is_plain => name,
            [root, rest @ ..] if root == self.root && !rest.is_empty() => rest.join("::"),
            [.., module, name] if is_standard => format!("{module}::{name}"),
            all => all.join("::"),
        };
        self.found.push(Node { name: shown, is_plain });
    }

    fn add_arguments(&mut self, arguments: &PathArguments) {
        let PathArguments::AngleBracketed(arguments) = arguments else { return };
        for argument in &arguments.args {
            if let GenericArgument::Type(ty) = argument {
                self.add(ty);
            }
        }
    }
}

fn node(name: String) -> Node {
    Node { name, is_plain: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_folded_into_nodes() {
        let rows = [
            ("::slab::Slab<::std::string::String>", "Slab"),
            ("&'static mut ::slab::set::Iter<'static, i32>", "set::Iter"),
            ("::std::option::Option<(usize, &'static ::a::B<'static, ::a::C>)>", "usize* a::B"),
            ("::std::result::Result<[&'static mut i32; 4], ::slab::Error>", "i32* Error"),
            ("::std::boxed::Box<dyn ::std::iter::Iterator<Item = ::a::B> + 'static>", "dyn Iterator"),
            ("::std::vec::IntoIter<i32>", "vec::IntoIter"),
            ("::std::time::Duration", "time::Duration"),
            ("&'static str", "str*"),
            ("fn(&str) -> u8", "fn(…)"),
            ("()", ""),
            ("_", ""),
        ];
        for (text, expected) in rows {
            let found =
                nodes(text, "slab").into_iter().map(|node| node.name + if node.is_plain { "*" } else { "" });
            assert_eq!(found.collect::<Vec<_>>().join(" "), expected, "{text}");
        }
    }
}
