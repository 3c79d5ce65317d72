//! Sorting: lists of numbers in ascending order, by seven ways and what they are made of.

/// Changes the places of two items.
pub fn exchange(mut list: Vec<i32>, first: usize, second: usize) -> Vec<i32> {
    if first < list.len() && second < list.len() {
        let item = list[first];
        list[first] = list[second];
        list[second] = item;
    }
    list
}

/// Neighbours change places until none has to.
pub fn bubble_sort(mut list: Vec<i32>) -> Vec<i32> {
    let mut end = list.len();
    while end > 1 {
        let mut last = 0;
        let mut at = 1;
        while at < end {
            if list[at - 1] > list[at] {
                list.swap(at - 1, at);
                last = at;
            }
            at += 1;
        }
        end = last;
    }
    list
}

/// Each item goes to its place among those before it.
pub fn insertion_sort(mut list: Vec<i32>) -> Vec<i32> {
    let mut at = 1;
    while at < list.len() {
        let item = list[at];
        let mut place = at;
        while place > 0 && list[place - 1] > item {
            list[place] = list[place - 1];
            place -= 1;
        }
        list[place] = item;
        at += 1;
    }
    list
}

/// The least of what is left comes next.
pub fn selection_sort(mut list: Vec<i32>) -> Vec<i32> {
    let mut at = 0;
    while at + 1 < list.len() {
        let mut least = at;
        let mut other = at + 1;
        while other < list.len() {
            if list[other] < list[least] {
                least = other;
            }
            other += 1;
        }
        if least != at {
            list.swap(at, least);
        }
        at += 1;
    }
    list
}

/// As by insertion, with gaps that become smaller.
pub fn shell_sort(mut list: Vec<i32>) -> Vec<i32> {
    let mut gap = list.len() / 2;
    while gap > 0 {
        let mut at = gap;
        while at < list.len() {
            let item = list[at];
            let mut place = at;
            while place >= gap && list[place - gap] > item {
                list[place] = list[place - gap];
                place -= gap;
            }
            list[place] = item;
            at += 1;
        }
        gap = if gap == 2 { 1 } else { gap * 5 / 11 };
    }
    list
}

/// The place of the middle one of three items: the first, the middle and the last of a range.
pub fn median_left(list: &[i32], left: usize, right: usize) -> Option<usize> {
    if right >= list.len() || left > right {
        return None;
    }
    let middle = left + (right - left) / 2;
    let (a, b, c) = (list[left], list[middle], list[right]);
    let place = if a < b {
        if b < c {
            middle
        } else if a < c {
            right
        } else {
            left
        }
    } else if a < c {
        left
    } else if b < c {
        right
    } else {
        middle
    };
    Some(place)
}

/// Those below an item, itself, and those above it, each part sorted.
pub fn quick_sort(list: Vec<i32>) -> Vec<i32> {
    if list.len() < 2 {
        return list;
    }
    let middle = median_left(&list, 0, list.len() - 1).unwrap_or(0);
    let pivot = list[middle];
    let (mut below, mut above) = (Vec::new(), Vec::new());
    for (at, item) in list.iter().enumerate() {
        if at == middle {
            continue;
        }
        if *item <= pivot {
            below.push(*item);
        } else {
            above.push(*item);
        }
    }
    concatenate(quick_sort(below), pivot, quick_sort(above))
}

/// A list, an item and another list behind each other.
pub fn concatenate(below: Vec<i32>, item: i32, above: Vec<i32>) -> Vec<i32> {
    let mut whole = below;
    whole.push(item);
    for other in above {
        whole.push(other);
    }
    whole
}

/// Two sorted lists become one.
pub fn merge_ordered(first: &[i32], second: &[i32]) -> Vec<i32> {
    let (mut a, mut b) = (0, 0);
    let mut merged = Vec::new();
    while a < first.len() || b < second.len() {
        let takes_first = if a == first.len() {
            false
        } else if b == second.len() {
            true
        } else {
            first[a] <= second[b]
        };
        if takes_first {
            merged.push(first[a]);
            a += 1;
        } else {
            merged.push(second[b]);
            b += 1;
        }
    }
    merged
}

/// Both halves are sorted, then merged.
pub fn merge_sort(list: &[i32]) -> Vec<i32> {
    if list.len() < 2 {
        return list.to_vec();
    }
    let middle = list.len() / 2;
    let (left, right) = (merge_sort(&list[..middle]), merge_sort(&list[middle..]));
    merge_ordered(&left, &right)
}

/// By one decimal digit after the other, the last one first. Nothing where a number is below 0 or has more than `digits`
/// digits, of which there are at most 6.
pub fn radix_sort(list: &[i32], digits: u32) -> Option<Vec<i32>> {
    if digits < 1 || digits > 6 {
        return None;
    }
    let mut bound = 1;
    for _ in 0..digits {
        bound *= 10;
    }
    for item in list {
        if *item < 0 || *item >= bound {
            return None;
        }
    }
    let mut sorted = list.to_vec();
    let mut unit = 1;
    while unit < bound {
        let mut buckets: [Vec<i32>; 10] = Default::default();
        for item in &sorted {
            let digit = item / unit % 10;
            buckets[digit as usize].push(*item);
        }
        sorted = buckets.concat();
        unit *= 10;
    }
    Some(sorted)
}

/// Whether no item stands behind a greater one.
pub fn is_sorted(list: &[i32]) -> bool {
    let mut at = 1;
    while at < list.len() {
        if list[at - 1] > list[at] {
            return false;
        }
        at += 1;
    }
    true
}
