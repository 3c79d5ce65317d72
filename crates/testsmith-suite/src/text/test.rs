//! A case as the text of one test: arrange, act, assert.

use std::collections::BTreeSet;

use testsmith_ir::render::Spelling;
use testsmith_ir::{Api, Line, Liveness, Program, Rendered, Slot, Statement, check, render};

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
}

/// Kills that a comment names one by one.
const MOST_KILLS: usize = 3;

/// The text of a case; `kills` describes what it kills. `None` if it cannot be written: one of its checks is not
/// [writable](super::is_writable), or its program breaks the borrow rules.
pub fn test(api: &Api, case: &Case, kills: &[String], spelling: Spelling) -> Option<TestText> {
    let liveness = check(api, &case.program).ok()?;
    let writer = Writer { api, case, liveness: &liveness, spelling };
    let (lines, imports) = writer.body()?;
    Some(TestText {
        names: name::candidates(api, case),
        imports,
        comment: comment(kills),
        panics: match &case.ending {
            Ending::Returns => None,
            Ending::Panics { message } => Some(expected(message)),
        },
        ignored: None,
        lines,
    })
}

/// A test that shows a panic which should not be: it fails as long as its program panics, and is ignored until somebody
/// sees to it. `None` if the program breaks the borrow rules.
pub fn finding(api: &Api, program: &Program, comment: String, reason: String) -> Option<TestText> {
    let ending = Ending::Panics { message: String::new() };
    let case = Case { program: program.clone(), ending, checks: Vec::new(), kills: Vec::new() };
    let shown = test(api, &case, &[], Spelling::Natural)?;
    Some(TestText { comment, panics: None, ignored: Some(reason), ..shown })
}

impl TestText {
    /// Says anew what it kills.
    pub fn set_kills(&mut self, kills: &[String]) {
        self.comment = comment(kills);
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
    let is_told = |line: &&str| line.starts_with("// kills: ");
    let rest = match rest.lines().next().filter(is_told) {
        Some(line) => rest[line.len()..].trim_start(),
        None => rest,
    };
    match kills {
        [] => rest.to_owned(),
        kills => format!("// {}\n{rest}", comment(kills)),
    }
}

fn comment(kills: &[String]) -> String {
    let Some(first) = kills.first() else { return String::new() };
    let mut text = format!("kills: {first}");
    let mut named = 1;
    for kill in kills[1..].iter().take(MOST_KILLS - 1) {
        if text.len() + kill.len() > LONGEST_COMMENT {
            break;
        }
        text += &format!(", {kill}");
        named += 1;
    }
    if named < kills.len() {
        text += &format!(" and {} more", kills.len() - named);
    }
    text
}

/// What does not fit is counted.
const LONGEST_COMMENT: usize = 90;

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

impl Writer<'_> {
    /// All lines, and what they need imported.
    fn body(&self) -> Option<(Vec<String>, BTreeSet<String>)> {
        let Case { program, checks, .. } = self.case;
        let mut inlined: Vec<bool> = checks.iter().map(|check| self.can_be_inlined(check)).collect();
        let mut rendered = self.render(&inlined);
        // What would not be understood without its variable gets it back.
        for (check, inlined) in checks.iter().zip(&mut inlined) {
            *inlined &= line_of(&rendered, check.slot).is_some_and(|line| self.reads_well(check, line));
        }
        rendered = self.render(&inlined);
        let mut scope = Scope { imports: rendered.imports.clone(), ..Scope::of(self.api, program) };
        let mut lines = Vec::new();
        for slot in (0..program.size()).map(Slot::at) {
            let inline = checks.iter().zip(&inlined).find(|(check, inlined)| **inlined && check.slot == slot);
            match (inline, line_of(&rendered, slot)) {
                (Some((check, _)), Some(line)) => {
                    lines.push(self.assertion(check, &Subject::new(&line.expression), None, &mut scope)?);
                }
                (None, Some(line)) => lines.push(self.statement(line)),
                (_, None) => {}
            }
            for (check, inlined) in checks.iter().zip(&inlined) {
                if check.after == Some(slot) && !inlined {
                    lines.push(self.on_variable(check, &rendered, &mut scope)?);
                }
            }
        }
        for check in self.last_checks(&inlined) {
            lines.push(self.on_variable(check, &rendered, &mut scope)?);
        }
        Some((lines, scope.imports))
    }

    fn render(&self, inlined: &[bool]) -> Rendered {
        let mut bound = Vec::new();
        for (check, inlined) in self.case.checks.iter().zip(inlined) {
            if !inlined {
                bound.push(check.slot);
            }
            if let Claim::Equal(other, _) | Claim::Order(other, _) = check.claim {
                bound.push(other);
            }
        }
        let spelling = self.spelling;
        let options = render::Options { bound, inline: true, spelling, ..render::Options::default() };
        render(self.api, &self.case.program, self.liveness, &options)
    }

    /// Whether an assertion can take the place of the statement that makes the value: nobody else wants the value, and
    /// what happens in between cannot change it.
    fn can_be_inlined(&self, check: &Check) -> bool {
        let Case { program, checks, .. } = self.case;
        let Statement::Call { callable, .. } = &program[check.slot] else { return false };
        let output = &self.api[self.api[*callable].output];
        let mentions = |other: &&Check| {
            let compared = match other.claim {
                Claim::Equal(slot, _) | Claim::Order(slot, _) => Some(slot),
                Claim::Value(_) | Claim::Display(_) | Claim::Debug(_) => None,
            };
            other.slot == check.slot || compared == Some(check.slot)
        };
        let is_alone = checks.iter().filter(mentions).count() == 1 && !is_used(program, check.slot);
        let is_next = is_last_call(program, check.slot);
        // A value of std's plain types stays what it is, and nothing shows when it is dropped.
        match check.claim {
            Claim::Value(_) => is_alone,
            Claim::Display(_) | Claim::Debug(_) => {
                is_alone && (is_next || check.after == Some(check.slot) && !output.facts.needs_drop)
            }
            Claim::Equal(..) | Claim::Order(..) => false,
        }
    }

    fn reads_well(&self, check: &Check, line: &Line) -> bool {
        let subject = Subject::new(&line.expression);
        let mut scope = Scope::of(self.api, &self.case.program);
        let written = self.assertion(check, &subject, None, &mut scope);
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
            Ending::Panics { .. } if is_last && is_bound => format!("let _ = {};", line.expression),
            _ => line.text.clone(),
        }
    }

    /// Checks at the end, who borrows exclusively before whom it borrows from.
    fn last_checks(&self, inlined: &[bool]) -> Vec<&Check> {
        let checks = self.case.checks.iter().zip(inlined);
        let mut last: Vec<&Check> = checks
            .filter(|(check, inlined)| check.after.is_none() && !**inlined)
            .map(|(check, _)| check)
            .collect();
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
