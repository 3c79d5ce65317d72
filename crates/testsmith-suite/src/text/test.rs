//! A case as the text of one test: arrange, act, assert.

use std::collections::BTreeSet;

use testsmith_ir::render::Spelling;
use testsmith_ir::{
    Accepts, Api, Callable, Line, Liveness, Program, Rendered, Slot, Statement, check, render,
};
use testsmith_rt::harness::Value;

use super::claim::{assertion, type_of};
use super::existing::normal_item;
use super::name;
use super::scope::Scope;
use super::subject::Subject;
use super::wrap::wrap;
use crate::case::{Case, Check, Claim, Ending};

/// A test as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestText {
    /// Names that say what it checks, the best one first.
    pub names: Vec<String>,
    /// Where the mutants are that it kills, as words of names.
    pub places: Vec<String>,
    /// The paths that the body needs imported.
    pub imports: BTreeSet<String>,
    /// What it kills, as a comment without the slashes; empty if nothing is known.
    pub comment: String,
    /// Whether it has to panic, and with what in the message.
    pub panics: Option<Option<String>>,
    /// Why it is not run unless that is asked for.
    pub ignored: Option<String>,
    /// The statements of its body.
    pub lines: Vec<String>,
    /// For each of them the slots of the program that it is about.
    pub slots: Vec<BTreeSet<Slot>>,
    /// How much of what the compiler can infer is written.
    pub spelling: Spelling,
}

/// Statements whose types are written one after the other, at most: the compiler names one at a time.
const MOST_PARTLY: usize = 6;

/// What a case kills, in words; what says most comes first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KillWords {
    /// What each mutant changes: ``"`<` in `Date::is_valid` becomes `<=`"``.
    pub clauses: Vec<String>,
    /// Where, as a part of a name: `is_valid`.
    pub places: Vec<String>,
}

/// The text of a case; `kills` say what it kills. `None` if it cannot be written: one of its checks is not
/// [writable](super::is_writable), or its program breaks the borrow rules.
pub fn test(api: &Api, case: &Case, kills: &KillWords, spelling: Spelling) -> Option<TestText> {
    let liveness = check(api, &case.program).ok()?;
    let writer = Writer { api, case, liveness: &liveness, spelling: spelling.clone() };
    let Body { lines, slots, imports } = writer.body()?;
    Some(TestText {
        names: name::candidates(api, case, &kills.places),
        places: kills.places.clone(),
        imports,
        comment: comment(&kills.clauses),
        panics: match &case.ending {
            Ending::Returns => None,
            Ending::Panics { message } => Some(expected(message)),
        },
        ignored: None,
        lines,
        slots,
        spelling,
    })
}

/// A test that shows a panic which should not be: it fails as long as its program panics, and is ignored until somebody
/// sees to it. `None` if the program breaks the borrow rules.
pub fn finding(api: &Api, program: &Program, comment: String, reason: String) -> Option<TestText> {
    let ending = Ending::Panics { message: String::new() };
    let case = Case::new(program.clone(), ending, Vec::new(), Vec::new());
    let shown = test(api, &case, &KillWords::default(), Spelling::Natural)?;
    Some(TestText { comment, panics: None, ignored: Some(reason), ..shown })
}

impl TestText {
    /// Says anew what it kills.
    pub fn set_kills(&mut self, kills: &KillWords) {
        self.comment = comment(&kills.clauses);
        self.places.clone_from(&kills.places);
    }

    /// The slots of the lines that hold one of these texts, as the compiler shows them.
    fn slots_of(&self, shown: &BTreeSet<String>) -> BTreeSet<Slot> {
        let lines = self.lines.iter().zip(&self.slots);
        let is_shown = |line: &str| wrap(line).lines().any(|part| shown.contains(part.trim()));
        lines.filter(|(line, _)| is_shown(line)).flat_map(|(_, slots)| slots).copied().collect()
    }

    /// How it can be written once the compiler has blamed some of its lines, best first: with the types of these as well, or with all
    /// types. Each is more explicit than what there is, so that asking again and again comes to an end.
    pub fn more_explicit(&self, blamed: &BTreeSet<String>) -> Vec<Spelling> {
        let known = match &self.spelling {
            Spelling::Natural => BTreeSet::new(),
            Spelling::Partly(slots) => slots.clone(),
            Spelling::Explicit => return Vec::new(),
        };
        let slots: BTreeSet<Slot> = self.slots_of(blamed).union(&known).copied().collect();
        let says_more = slots.len() > known.len() && slots.len() <= MOST_PARTLY;
        says_more.then_some(Spelling::Partly(slots)).into_iter().chain([Spelling::Explicit]).collect()
    }

    /// What it does, for comparison with tests that are there already.
    pub fn body(&self) -> String {
        normal_item(&self.item("name", &[])).unwrap_or_default()
    }

    /// The whole function under a name, with imports of its own.
    pub fn item(&self, name: &str, own_imports: &[&str]) -> String {
        let mut text = String::new();
        if !self.comment.is_empty() {
            text += &format!("// {}\n", self.comment);
        }
        text += "#[test]\n";
        if let Some(reason) = &self.ignored {
            text += &format!("#[ignore = {reason:?}]\n");
        }
        match &self.panics {
            None => {}
            Some(None) => text += "#[should_panic]\n",
            Some(Some(message)) => text += &format!("#[should_panic(expected = {message:?})]\n"),
        }
        text += &format!("fn {name}() {{\n");
        let imports = own_imports.iter().map(|path| format!("use {path};"));
        let lines: Vec<String> = imports.chain(self.lines.iter().map(|line| wrap(line))).collect();
        for line in lines.iter().flat_map(|line| line.lines()) {
            text += &format!("    {line}\n");
        }
        text + "}\n"
    }
}

/// A test that is there with another comment on what it kills; without one, if that is not known.
pub fn with_kills(item: &str, kills: &[String]) -> String {
    let rest = item.trim_start();
    let is_told = |line: &&str| {
        line.strip_prefix("// ")
            .is_some_and(|text| [FAILS_IF, KILLS].iter().any(|mark| text.starts_with(mark)))
    };
    let rest = match rest.lines().next().filter(is_told) {
        Some(line) => rest[line.len()..].trim_start(),
        None => rest,
    };
    match kills {
        [] => rest.to_owned(),
        kills => format!("// {}\n{rest}", comment(kills)),
    }
}

/// ``Fails if `<` in `f` becomes `<=`; 2 other defects are in the report.``
fn comment(kills: &[String]) -> String {
    let fits = |kill: &&String| kill.chars().count() <= LONGEST_REASON;
    let Some(told) = kills.iter().find(fits).or(kills.first()) else { return String::new() };
    match kills.len() - 1 {
        0 => format!("{FAILS_IF}{told}."),
        1 => format!("{FAILS_IF}{told}; 1 other defect is in the report."),
        others => format!("{FAILS_IF}{told}; {others} other defects are in the report."),
    }
}

/// How a comment begins that says what a test kills.
const FAILS_IF: &str = "Fails if ";

/// How it began in earlier versions.
const KILLS: &str = "kills: ";

/// Where there is one that is shorter, it is told.
const LONGEST_REASON: usize = 70;

/// The part of a message that is the same every time, on the real crate as well, and short enough to be read.
pub fn expected(message: &str) -> Option<String> {
    let line = message.lines().next().unwrap_or_default();
    // `assert!` prints its own source, which is rewritten in the program that ran here.
    let is_rewritten = REWRITTEN.iter().any(|mark| message.contains(mark));
    let own = if is_rewritten { line.split(": ").next().unwrap_or_default() } else { line };
    let stable = own.split("0x").next().unwrap_or_default();
    let kept = match stable.char_indices().nth(LONGEST_MESSAGE) {
        // Whole words, where there are some.
        Some((end, _)) => stable[..end].rsplit_once(' ').map_or(&stable[..end], |(words, _)| words).trim(),
        None => stable.trim(),
    };
    let is_own = !REWRITTEN.iter().any(|mark| kept.contains(mark));
    (!kept.is_empty() && is_own).then(|| kept.to_owned())
}

/// How the choice between an expression and its mutants begins, and what is called in it.
const REWRITTEN: [&str; 3] = ["(match (", "__testsmith", "__ts_"];

const LONGEST_MESSAGE: usize = 80;

struct Writer<'a> {
    api: &'a Api,
    case: &'a Case,
    liveness: &'a Liveness,
    spelling: Spelling,
}

/// What a test does, as text.
struct Body {
    lines: Vec<String>,
    /// For each of them the slots that it is about.
    slots: Vec<BTreeSet<Slot>>,
    imports: BTreeSet<String>,
}

/// A check, and whether it is what the test is about.
#[derive(Clone, Copy)]
struct Placed<'a> {
    check: &'a Check,
    /// It is said because the value is there, and left out where it does not read well.
    in_passing: bool,
}

impl Writer<'_> {
    /// All lines, the slots of each, and what they need imported.
    fn body(&self) -> Option<Body> {
        let Case { program, checks, passing, .. } = self.case;
        let own = checks.iter().map(|check| Placed { check, in_passing: false });
        let beside = passing.iter().map(|check| Placed { check, in_passing: true });
        let mut placed: Vec<(Placed<'_>, bool)> =
            own.chain(beside).map(|it| (it, self.can_be_inlined(it))).collect();
        let rendered = self.render(&placed);
        // What would not be understood without its variable gets it back.
        for (it, inlined) in &mut placed {
            *inlined &= line_of(&rendered, it.check.slot).is_some_and(|line| self.reads_well(*it, line));
        }
        placed.retain(|(it, inlined)| *inlined || !it.in_passing);
        let rendered = self.render(&placed);
        let mut scope = Scope { imports: rendered.imports.clone(), ..Scope::of(self.api, program) };
        let mut lines = Vec::new();
        let mut slots: Vec<BTreeSet<Slot>> = Vec::new();
        // What has no line of its own stands in the next.
        let mut waiting: BTreeSet<Slot> = BTreeSet::new();
        for slot in (0..program.size()).map(Slot::at) {
            waiting.insert(slot);
            let inline = placed.iter().find(|(it, inlined)| *inlined && it.check.slot == slot);
            match (inline, line_of(&rendered, slot)) {
                (Some((it, _)), Some(line)) => {
                    lines.push(self.inlined(*it, &Subject::new(&line.expression), &mut scope)?);
                }
                (None, Some(line)) => lines.push(self.statement(line)),
                (_, None) => {}
            }
            if lines.len() > slots.len() {
                slots.push(std::mem::take(&mut waiting));
            }
            for (it, inlined) in &placed {
                if it.check.after == Some(slot) && !inlined {
                    lines.push(self.on_variable(it.check, &rendered, &mut scope)?);
                    slots.push(BTreeSet::from([it.check.slot]));
                }
            }
        }
        for check in self.last_checks(&placed) {
            lines.push(self.on_variable(check, &rendered, &mut scope)?);
            slots.push(BTreeSet::from([check.slot]));
        }
        Some(Body { lines, slots, imports: scope.imports })
    }

    fn render(&self, placed: &[(Placed<'_>, bool)]) -> Rendered {
        let mut bound = Vec::new();
        for (Placed { check, .. }, inlined) in placed {
            if !inlined {
                bound.push(check.slot);
            }
            if let Claim::Equal(other, _) | Claim::Order(other, _) = check.claim {
                bound.push(other);
            }
        }
        let spelling = self.spelling.clone();
        let options = render::Options { bound, inline: true, spelling, ..render::Options::default() };
        render(self.api, &self.case.program, self.liveness, &options)
    }

    /// An assertion that takes the place of the statement that makes the value. What is only known to be there, beside the point of the
    /// test, is opened.
    fn inlined(&self, placed: Placed<'_>, subject: &Subject, scope: &mut Scope) -> Option<String> {
        let Placed { check, in_passing } = placed;
        if !(in_passing && check.is_hidden()) {
            return self.assertion(check, subject, None, scope);
        }
        let end = match &check.claim {
            Claim::Value(Value::Option(Some(_)) | Value::Result(Ok(_))) => ".unwrap()",
            Claim::Value(Value::Result(Err(_))) => ".unwrap_err()",
            _ => return None,
        };
        let ty = type_of(self.api, &self.case.program, check.slot)?;
        let takes = |callable: &Callable| matches!(callable.params.as_slice(), [param] if param.accepts == Accepts::Value(ty));
        let is_there = self.api.callables.iter().any(|it| it.shown.ends_with(end) && takes(it));
        is_there.then(|| format!("{}{end};", subject.receiver()))
    }

    /// Whether an assertion can take the place of the statement that makes the value: nobody else wants the value, and
    /// what happens in between cannot change it.
    fn can_be_inlined(&self, Placed { check, in_passing }: Placed<'_>) -> bool {
        let Case { program, checks, passing, .. } = self.case;
        let Statement::Call { callable, .. } = &program[check.slot] else { return false };
        let output = &self.api[self.api[*callable].output];
        let mentions = |other: &&Check| {
            let compared = match other.claim {
                Claim::Equal(slot, _) | Claim::Order(slot, _) => Some(slot),
                Claim::Value(_) | Claim::Display(_) | Claim::Debug(_) => None,
            };
            other.slot == check.slot || compared == Some(check.slot)
        };
        let is_alone =
            checks.iter().chain(passing).filter(mentions).count() == 1 && !is_used(program, check.slot);
        let is_next = is_last_call(program, check.slot);
        // What nobody uses and borrows nothing stays what it is, and can go at once.
        let is_idle = in_passing && !output.borrows;
        // A value of std's plain types stays what it is, and nothing shows when it is dropped.
        match check.claim {
            Claim::Value(_) => is_alone,
            Claim::Display(_) | Claim::Debug(_) => {
                is_alone
                    && (is_next || is_idle || check.after == Some(check.slot) && !output.facts.needs_drop)
            }
            Claim::Equal(..) | Claim::Order(..) => false,
        }
    }

    fn reads_well(&self, placed: Placed<'_>, line: &Line) -> bool {
        let subject = Subject::new(&line.expression);
        let mut scope = Scope::of(self.api, &self.case.program);
        let written = self.inlined(placed, &subject, &mut scope);
        // Inside of an assertion `list[0]` is looked at through `Index`, and `IndexMut` is what is meant.
        !line.expression.starts_with("&mut ")
            && !line.is_annotated
            && !line.expression.contains('\n')
            && written.is_some_and(|text| text.len() <= LONGEST_LINE)
    }

    /// Behind a panic nobody uses a value.
    fn statement(&self, line: &Line) -> String {
        let is_last = line.slot.index() + 1 == self.case.program.size();
        let is_bound = line.text.starts_with("let ") && !line.is_annotated;
        match self.case.ending {
            Ending::Panics { .. } if is_last && is_bound => self.dismissed(line),
            _ => line.text.clone(),
        }
    }

    /// A call whose result nobody gets to see.
    fn dismissed(&self, line: &Line) -> String {
        let callable = self.case.program[line.slot].callable().map(|id| &self.api[id]);
        match callable.is_some_and(|callable| render::can_be_dismissed(self.api, callable)) {
            true => format!("{};", line.expression),
            false => format!("let _ = {};", line.expression),
        }
    }

    /// Checks at the end, who borrows exclusively before whom it borrows from.
    fn last_checks<'p>(&self, placed: &'p [(Placed<'p>, bool)]) -> Vec<&'p Check> {
        let is_last = |(it, inlined): &&(Placed<'p>, bool)| it.check.after.is_none() && !*inlined;
        let mut last: Vec<&Check> = placed.iter().filter(is_last).map(|(it, _)| it.check).collect();
        let order = self.liveness.observable();
        last.sort_by_key(|check| order.iter().position(|slot| *slot == check.slot));
        last
    }

    fn on_variable(&self, check: &Check, rendered: &Rendered, scope: &mut Scope) -> Option<String> {
        let name = |slot: Slot| rendered.names[slot.index()].as_deref();
        let other = match check.claim {
            Claim::Equal(slot, _) | Claim::Order(slot, _) => Some(name(slot)?),
            Claim::Value(_) | Claim::Display(_) | Claim::Debug(_) => None,
        };
        self.assertion(check, &Subject::new(name(check.slot)?), other, scope)
    }

    fn assertion(
        &self,
        check: &Check,
        subject: &Subject,
        other: Option<&str>,
        scope: &mut Scope,
    ) -> Option<String> {
        let ty = type_of(self.api, &self.case.program, check.slot)?;
        assertion(self.api, ty, &check.claim, subject, other, scope)
    }
}

/// An assertion on a longer expression is easier to read with a variable.
const LONGEST_LINE: usize = 90;

fn line_of(rendered: &Rendered, slot: Slot) -> Option<&Line> {
    rendered.lines.iter().find(|line| line.slot == slot)
}

fn is_used(program: &Program, slot: Slot) -> bool {
    program.statements.iter().any(|statement| statement.slots().any(|used| used == slot))
}

/// Whether nothing but literals comes behind a statement.
fn is_last_call(program: &Program, slot: Slot) -> bool {
    program.statements[slot.index() + 1..]
        .iter()
        .all(|statement| matches!(statement, Statement::Literal { .. }))
}
