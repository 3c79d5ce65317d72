//! Methods of the standard library, by name: what they do to their receiver and what they give back.
//!
//! One row for each kind of method. `name/2` is meant only with two arguments after the receiver; it goes before
//! the row without a number. A name that is missing here is unknown.

use std::collections::HashMap;
use std::sync::OnceLock;

/// What a method does to its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Looks at it.
    Look,
    /// Takes it by value, or hands it through.
    Take,
    /// Takes a mutable reference and hands it on in the result, without changing anything yet.
    Lend,
    /// Changes it.
    Change,
    /// Changes it and hands a mutable reference on.
    ChangeLend,
    /// Moves an iterator on: changes the iterator, not what it goes over.
    Step,
    /// Changes it behind a shared reference.
    Cell,
    /// Hands out a way to change it behind a shared reference.
    CellLend,
}

/// The type of what comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Out {
    Unknown,
    Unit,
    Bool,
    Usize,
    Ordering,
    /// `&str`.
    Str,
    String,
    OptStr,
    IterStr,
    IterChar,
    IterByte,
    IterCharIndices,
    /// The receiver's type without references.
    Same,
    /// A reference to the receiver's type.
    SameRef,
    SameRefMut,
    /// What a container holds.
    Element,
    ElementRef,
    ElementRefMut,
    OptElement,
    OptElementRef,
    OptElementRefMut,
    /// Iterators over the elements.
    IterRef,
    IterRefMut,
    /// Pairs of them, or slices, are too rare to guess.
    Iter,
    /// Options and further iterators of what iterating yields.
    OptItem,
    SameIter,
    Enumerated,
    /// `Vec` of the elements.
    Vec,
    /// What the closure returns, and options and iterators of it.
    Closure,
    OfClosure,
    IterClosure,
    IterOfClosure,
    /// The type of the first argument.
    Argument,
    /// Options of results and results of options keep what is inside.
    OptArg0,
    OptArg1,
    KeepOuter,
    Keys,
    Entry,
    Slice,
    SliceMut,
    Pointer,
    PointerMut,
}

/// An entry of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Method {
    pub(super) mode: Mode,
    pub(super) out: Out,
}

type Row = (Mode, Out, &'static str);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    (Mode::Look, Out::Usize, "len capacity len_utf8 count_ones count_zeros leading_zeros trailing_zeros bit_len \
        as_usize addr to_usize partition_point"),
    (Mode::Look, Out::Bool, "is_empty is_some is_none is_ok is_err contains contains_key starts_with ends_with eq ne \
        lt le gt ge is_char_boundary is_ascii is_sorted is_subset is_superset is_disjoint is_borrowed is_owned \
        eq_ignore_ascii_case is_null is_dangling ptr_eq alternate sign_plus sign_minus sign_aware_zero_pad is_ok_and \
        is_some_and is_none_or is_absolute is_relative is_alphabetic is_alphanumeric is_numeric is_whitespace \
        is_uppercase is_lowercase is_control is_digit is_negative is_positive is_nan is_finite is_infinite \
        is_power_of_two is_zero is_one is_eq is_ne is_lt is_gt is_le is_ge is_partitioned eq_by contains_range \
        is_initialized is_completed is_poisoned is_ascii_digit is_ascii_alphabetic is_ascii_alphanumeric \
        is_ascii_whitespace is_ascii_punctuation is_ascii_hexdigit is_ascii_uppercase is_ascii_lowercase"),
    (Mode::Look, Out::Ordering, "cmp total_cmp cmp_by"),
    (Mode::Look, Out::Unknown, "partial_cmp hash fmt size_hint type_id to_bits to_le_bytes to_be_bytes to_ne_bytes \
        binary_search binary_search_by binary_search_by_key checked_add checked_sub checked_mul checked_div as_any \
        strong_count weak_count upgrade downgrade downcast_ref build_hasher hasher hash_one finish width precision \
        fill load description source cause align_to utf8_chunks error valid_up_to error_len range_bounds start_bound \
        end_bound rsplit_once splitn_once escape_debug escape_default escape_unicode encode_utf16 as_array \
        to_digit to_f64 to_u64 to_i64 to_u32 to_i32 subsec_nanos as_secs as_millis as_nanos offset_from layout \
        get_many kind raw_os_error key then_with size align trailing_ones leading_ones \
        is_even is_odd encode_utf8 as_mut_os_str"),
    (Mode::Look, Out::Same, "clone to_owned"),
    (Mode::Look, Out::Vec, "to_vec"),
    (Mode::Look, Out::String, "to_string repeat to_lowercase to_uppercase join concat replace/2 replacen \
        to_ascii_lowercase to_ascii_uppercase to_string_lossy"),
    (Mode::Look, Out::Str, "as_str trim trim_start trim_end trim_matches trim_start_matches trim_end_matches \
        trim_left trim_right"),
    (Mode::Look, Out::OptStr, "strip_prefix strip_suffix"),
    (Mode::Look, Out::IterStr, "lines split_whitespace split_ascii_whitespace split splitn rsplit rsplitn \
        split_terminator split_inclusive matches"),
    (Mode::Look, Out::IterChar, "chars"),
    (Mode::Look, Out::IterByte, "bytes"),
    (Mode::Look, Out::IterCharIndices, "char_indices"),
    (Mode::Look, Out::Iter, "windows chunks chunks_exact rchunks chunk_by match_indices union intersection difference \
        symmetric_difference range as_chunks iter_keys"),
    (Mode::Look, Out::OptElementRef, "get/1 first last/0 front back peek_max first_key_value last_key_value \
        get_key_value"),
    (Mode::Look, Out::ElementRef, "get_unchecked index"),
    (Mode::Look, Out::Element, "get/0"),
    (Mode::Look, Out::IterRef, "iter values"),
    (Mode::Look, Out::Keys, "keys"),
    (Mode::Look, Out::Slice, "as_slice as_bytes"),
    (Mode::Look, Out::Pointer, "as_ptr as_ptr_range"),
    (Mode::Look, Out::SameRef, "as_path as_os_str borrow/0 deref as_c_str"),
    (Mode::Look, Out::KeepOuter, "as_ref as_deref as_pin_ref"),
    (Mode::Look, Out::Unknown, "split_at split_first split_last split_once first_chunk last_chunk split_at_checked \
        read/0 try_borrow try_read get_ref as_inner remainder"),

    (Mode::Take, Out::Element, "unwrap expect unwrap_or unwrap_or_else unwrap_or_default unwrap_unchecked into_inner \
        assume_init into_ok"),
    (Mode::Take, Out::Unknown, "unwrap_err expect_err into try_into into_string into_bytes into_boxed_str \
        into_boxed_slice into_vec into_sorted_vec into_raw into_parts from try_from collect unzip sum product \
        partition leak transpose cast cast_mut cast_const addr_of add/1 sub/1 offset wrapping_add wrapping_sub \
        byte_add byte_sub read_unaligned read_volatile as_uninit_ref assume_init_ref assume_init_read then_some \
        map_or_else not neg bitand bitor bitxor mul div rem shl shr min_by max_by min_by_key max_by_key reduce \
        max/1 min/1 clamp pow abs signum sqrt floor ceil round rem_euclid div_euclid abs_diff isqrt swap_bytes \
        reverse_bits to_be to_le rotate_bits saturating_add saturating_sub saturating_mul wrapping_mul \
        overflowing_add overflowing_sub overflowing_mul carrying_add borrowing_sub unwrap_infallible is_sorted_by \
        is_sorted_by_key gcd lcm div_rem is_multiple_of parse with_capacity_and new cmp_by_key into_iter_sorted \
        spawn_unchecked then and/1 as_uninit into_keys into_values into_iter_values elapsed duration_since \
        num_days num_seconds into_owned wrapping_neg wrapping_shl wrapping_shr checked_pow checked_rem \
        checked_neg checked_shl checked_shr saturating_pow into_slice unsigned_abs widening_mul"),
    (Mode::Take, Out::OptArg0, "ok"),
    (Mode::Take, Out::OptArg1, "err"),
    (Mode::Take, Out::KeepOuter, "or or_else xor ok_or ok_or_else map_err filter/1 copied cloned"),
    (Mode::Take, Out::Closure, "map_or"),
    (Mode::Take, Out::OfClosure, "and_then"),
    (Mode::Take, Out::IterClosure, "map"),
    (Mode::Take, Out::IterOfClosure, "filter_map flat_map map_while scan"),
    (Mode::Take, Out::SameIter, "into_iter rev skip skip_while step_by take/1 take_while chain peekable fuse \
        inspect cycle array_chunks intersperse drain_all"),
    (Mode::Take, Out::Iter, "flatten zip group_by"),
    (Mode::Take, Out::Enumerated, "enumerate"),
    (Mode::Take, Out::OptItem, "last max min nth_unchecked"),
    (Mode::Take, Out::Argument, "fold rfold"),
    (Mode::Take, Out::Usize, "count"),
    (Mode::Take, Out::Unit, "for_each"),

    (Mode::Step, Out::OptItem, "next next_back nth nth_back find rfind next_if next_if_eq peek"),
    (Mode::Step, Out::Bool, "any all"),
    (Mode::Step, Out::Unknown, "position rposition find_map try_fold try_for_each try_rfold advance_by next_chunk \
        next_code_point"),
    (Mode::Step, Out::SameRefMut, "by_ref"),

    (Mode::Lend, Out::IterRefMut, "iter_mut values_mut"),
    (Mode::Lend, Out::OptElementRefMut, "get_mut first_mut last_mut front_mut back_mut"),
    (Mode::Lend, Out::ElementRefMut, "get_unchecked_mut index_mut"),
    (Mode::Lend, Out::KeepOuter, "as_mut as_deref_mut as_pin_mut"),
    (Mode::Lend, Out::SliceMut, "as_mut_slice as_bytes_mut"),
    (Mode::Lend, Out::PointerMut, "as_mut_ptr as_mut_ptr_range"),
    (Mode::Lend, Out::SameRefMut, "deref_mut as_mut_str assume_init_mut"),
    (Mode::Lend, Out::Entry, "entry/1 first_entry last_entry peek_mut peek_mut_next raw_entry_mut"),
    (Mode::Lend, Out::Unknown, "split_at_mut split_first_mut split_last_mut split_at_mut_unchecked \
        split_at_mut_checked chunks_mut chunks_exact_mut rchunks_mut split_mut range_mut get_many_mut \
        get_disjoint_mut get_disjoint_unchecked_mut spare_capacity_mut downcast_mut find_mut iter_many_mut key_mut \
        get_or_none_mut assume_init_mut_slice lower_bound_mut upper_bound_mut"),

    (Mode::Change, Out::Unit, "push push_back push_front push_str clear extend extend_from_slice extend_from_within \
        append truncate resize resize_with reserve reserve_exact shrink_to_fit shrink_to retain retain_mut dedup \
        dedup_by dedup_by_key sort sort_by sort_by_key sort_by_cached_key sort_unstable sort_unstable_by \
        sort_unstable_by_key reverse rotate_left rotate_right swap fill/1 fill_with copy_from_slice clone_from_slice \
        swap_with_slice copy_within clone_from insert_str set_len make_ascii_lowercase make_ascii_uppercase \
        copy_from copy_from_nonoverlapping write_bytes drop_in_place write_unaligned write_volatile assume_init_drop \
        select_nth_unstable add_assign sub_assign mul_assign div_assign rem_assign bitand_assign bitor_assign \
        bitxor_assign shl_assign shr_assign extend_one clone_into increment decrement set_zero set_one \
        forget_all reset advance_mut write_usize write_u8 write_u16 write_u32 write_u64 write_u128 write_i8 \
        write_i16 write_i32 write_i64 write_isize write_length_prefix update"),
    (Mode::Change, Out::OptElement, "pop pop_front pop_back take/0 replace/1 pop_if swap_remove_back \
        swap_remove_front pop_first pop_last take_if"),
    (Mode::Change, Out::Element, "remove swap_remove"),
    (Mode::Change, Out::Same, "split_off"),
    (Mode::Change, Out::Unknown, "insert try_reserve try_reserve_exact remove_entry write_str write_char write_fmt \
        write_all write_vectored write/1 flush read/1 read_exact read_to_end read_to_string read_line seek consume \
        fill_buf pad pad_integral field field_with entries finish_non_exhaustive entry/2 push_within_capacity \
        try_insert insert_unique insert_entry remove_full swap_take get_or_insert_owned try_push collect_into \
        sort_floats try_extend remove_item key_seq value_seq write_hex try_reserve_entry"),
    (Mode::ChangeLend, Out::ElementRefMut, "or_insert or_insert_with or_insert_with_key or_default get_or_insert \
        get_or_insert_with get_or_insert_default insert_mut push_mut"),
    (Mode::ChangeLend, Out::Same, "and_modify"),
    (Mode::ChangeLend, Out::SliceMut, "make_contiguous"),
    (Mode::ChangeLend, Out::SameIter, "drain extract_if splice drain_filter"),
    (Mode::ChangeLend, Out::Unknown, "debug_struct debug_tuple debug_list debug_set debug_map make_mut into_mut \
        write_mut"),

    (Mode::Cell, Out::Unknown, "store fetch_add fetch_sub fetch_and fetch_or fetch_xor fetch_nand fetch_max fetch_min \
        fetch_update compare_exchange compare_exchange_weak compare_and_swap call_once call_once_force send recv \
        try_recv recv_timeout wait notify_one notify_all set_borrow replace_with"),
    (Mode::CellLend, Out::SameRefMut, "borrow_mut"),
    (Mode::CellLend, Out::KeepOuter, "lock try_lock try_borrow_mut write/0 try_write"),
];

/// Methods of types with interior mutability that mean something else on other types.
#[rustfmt::skip]
const CELL_ROWS: &[Row] = &[
    (Mode::Cell, Out::Element, "replace take swap"),
    (Mode::Cell, Out::Unit, "set update"),
    (Mode::Cell, Out::ElementRef, "get_or_init get_or_try_init force"),
    (Mode::CellLend, Out::PointerMut, "as_ptr raw_get"),
    (Mode::CellLend, Out::ElementRefMut, "borrow_mut lock try_lock write"),
    (Mode::CellLend, Out::Element, "with with_borrow_mut"),
    (Mode::Look, Out::Element, "get into_inner load with_borrow"),
    (Mode::Look, Out::ElementRef, "borrow read wait"),
    (Mode::Lend, Out::ElementRefMut, "get_mut"),
];

/// Methods that panic where their argument or receiver is not as expected.
const PANICKING: [&str; 13] = [
    "unwrap",
    "expect",
    "unwrap_err",
    "expect_err",
    "split_at",
    "split_at_mut",
    "swap_remove",
    "copy_from_slice",
    "clone_from_slice",
    "copy_within",
    "borrow_mut",
    "chunks",
    "windows",
];

type Table = HashMap<(&'static str, Option<usize>), Method>;

fn table(rows: &[Row]) -> Table {
    let each = rows.iter().flat_map(|(mode, out, names)| {
        names.split_whitespace().map(|name| {
            let (name, count) = match name.split_once('/') {
                Some((name, count)) => (name, count.parse().ok()),
                None => (name, None),
            };
            ((name, count), Method { mode: *mode, out: *out })
        })
    });
    each.collect()
}

/// What a method does, by its name and the number of arguments after the receiver.
pub(super) fn method(name: &str, count: usize) -> Option<Method> {
    static TABLE: OnceLock<Table> = OnceLock::new();
    let table = TABLE.get_or_init(|| table(ROWS));
    table.get(&(name, Some(count))).or_else(|| table.get(&(name, None))).copied()
}

/// What a method of a type with interior mutability does.
pub(super) fn cell_method(name: &str, count: usize) -> Option<Method> {
    static TABLE: OnceLock<Table> = OnceLock::new();
    let table = TABLE.get_or_init(|| table(CELL_ROWS));
    table.get(&(name, None)).copied().or_else(|| method(name, count))
}

/// Whether a method panics easily.
pub(super) fn panics(name: &str) -> bool {
    PANICKING.contains(&name)
}

/// What a provided method of a standard trait calls on a type that implements the rest, and what methods of
/// containers call on their elements; `is_keyed` for maps and sets.
pub(super) fn calls_on(name: &str, is_keyed: bool) -> &'static [&'static str] {
    match name {
        "ne" | "contains" | "dedup" | "starts_with" | "ends_with" | "assert_eq" => &["eq"],
        "lt" | "le" | "gt" | "ge" => &["partial_cmp"],
        "max" | "min" | "clamp" | "sort" | "sort_unstable" | "binary_search" => &["cmp"],
        "to_string" => &["fmt"],
        "to_vec" | "to_owned" | "extend_from_slice" | "clone_from" | "cloned" | "resize" => &["clone"],
        "get" | "insert" | "remove" | "entry" | "contains_key" | "get_mut" if is_keyed => {
            &["hash", "eq", "cmp"]
        }
        "clone" => &["clone"],
        "eq" => &["eq"],
        "cmp" => &["cmp"],
        "partial_cmp" => &["partial_cmp"],
        "hash" => &["hash"],
        "fmt" => &["fmt"],
        "unwrap_or_default" | "or_default" => &["default"],
        "write_fmt" => &["write_str"],
        "rev" | "rfold" | "rfind" => &["next_back"],
        _ => &[],
    }
}

/// Whether a container looks its elements up by hash or order.
pub(super) fn is_keyed(name: &str) -> bool {
    name.ends_with("Map") || name.ends_with("Set") || name == "BinaryHeap"
}

/// Iterators that are made of other iterators.
pub(super) fn is_adapter(name: &str) -> bool {
    const NAMES: &str = "Chain Zip Map Filter FilterMap Enumerate Peekable Rev Skip SkipWhile Take TakeWhile StepBy Fuse \
        Cloned Copied FlatMap Flatten Inspect Cycle Scan MapWhile Box";
    NAMES.split_whitespace().any(|known| known == name)
}

/// Provided methods of `Iterator`.
pub(super) fn is_iterator_method(name: &str) -> bool {
    const NAMES: &str = "map filter filter_map flat_map enumerate skip skip_while step_by take take_while chain zip \
        peekable fuse inspect collect fold try_fold sum product count last nth any all find find_map position max min \
        max_by min_by max_by_key min_by_key for_each try_for_each by_ref cloned copied cycle reduce unzip partition \
        flatten scan map_while cmp partial_cmp eq ne lt le gt ge into_iter rev is_sorted";
    NAMES.split_whitespace().any(|known| known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_method_stands_in_one_row() {
        for rows in [ROWS, CELL_ROWS] {
            let mut names: Vec<_> = rows.iter().flat_map(|(_, _, names)| names.split_whitespace()).collect();
            names.sort_unstable();
            let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
            assert!(twice.is_empty(), "{twice:?}");
        }
    }

    #[test]
    fn the_number_of_arguments_tells_methods_of_one_name_apart() {
        let mode = |name, count| method(name, count).map(|method| method.mode);
        assert_eq!(mode("take", 0), Some(Mode::Change));
        assert_eq!(mode("take", 1), Some(Mode::Take));
        assert_eq!(mode("write", 0), Some(Mode::CellLend));
        assert_eq!(mode("write", 1), Some(Mode::Change));
        assert_eq!(mode("replace", 2), Some(Mode::Look));
        assert_eq!(mode("no_such_method", 0), None);
    }
}
