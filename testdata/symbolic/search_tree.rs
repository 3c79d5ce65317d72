//! A binary search tree: four keys go in, one comes out.
//! goals: 7, seconds: 0.26

mod support;
use support::{goal, number};

#[derive(Default)]
struct Node {
    key: i32,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

fn insert(tree: &mut Option<Box<Node>>, key: i32) -> bool {
    match tree {
        None => {
            *tree = Some(Box::new(Node { key, ..Node::default() }));
            true
        }
        Some(node) if key < node.key => insert(&mut node.left, key),
        Some(node) if key > node.key => insert(&mut node.right, key),
        Some(_) => false,
    }
}

fn remove(tree: &mut Option<Box<Node>>, key: i32) -> u32 {
    let Some(node) = tree else { return 0 };
    if key < node.key {
        return remove(&mut node.left, key);
    }
    if key > node.key {
        return remove(&mut node.right, key);
    }
    match (node.left.take(), node.right.take()) {
        (None, None) => {
            *tree = None;
            1
        }
        (Some(only), None) => {
            *tree = Some(only);
            2
        }
        (None, Some(only)) => {
            *tree = Some(only);
            3
        }
        (left, Some(mut right)) => {
            node.left = left;
            let mut least = &mut right;
            while least.left.is_some() {
                least = least.left.as_mut().unwrap();
            }
            node.key = least.key;
            let key = least.key;
            node.right = Some(right);
            remove(&mut node.right, key);
            4
        }
    }
}

fn depth(tree: &Option<Box<Node>>) -> u32 {
    tree.as_ref().map_or(0, |node| 1 + depth(&node.left).max(depth(&node.right)))
}

#[unsafe(no_mangle)]
extern "C" fn run() {
    let mut tree = None;
    for slot in 0..4 {
        if !insert(&mut tree, number(slot, 0)) {
            goal(5);
        }
    }
    if depth(&tree) == 4 {
        goal(6);
    }
    goal(remove(&mut tree, number(4, 0)));
}
