//! Tables in Markdown, whose columns are measured one after the other.

use std::time::{Duration, Instant};

use crate::machine::{self, CpuTime};

/// An implementation to be measured.
pub struct Contender<'a> {
    name: String,
    is_peer: bool,
    work: Box<dyn FnMut() + 'a>,
}

impl<'a> Contender<'a> {
    /// Creates a contender of this project.
    pub fn ours(name: impl Into<String>, work: impl FnMut() + 'a) -> Contender<'a> {
        Contender { name: name.into(), is_peer: false, work: Box::new(work) }
    }

    /// Creates a contender to be compared with.
    pub fn peer(name: impl Into<String>, work: impl FnMut() + 'a) -> Contender<'a> {
        Contender { name: name.into(), is_peer: true, work: Box::new(work) }
    }
}

/// The duration of one run.
#[derive(Clone, Copy)]
pub struct Time {
    /// The time that passed.
    pub wall: Duration,
    /// User and system time of all threads.
    pub cpu: Duration,
    /// The system's part of that.
    pub system: Duration,
}

/// A table with a row for each contender and a column for each input.
///
/// Below the rows of this project, a row has the share of the system in the time of the first, for
/// processes. A cell of a peer also has the speed of the first row as a multiple of the peer's, and the last
/// column has the geometric mean of these multiples.
pub struct Table {
    unit: Unit,
    columns: Vec<String>,
    rows: Vec<Row>,
    /// The share of the system in the time of the first row, for each column of processes.
    system: Vec<f64>,
}

/// The row of a contender.
struct Row {
    name: String,
    is_peer: bool,
    /// The medians, in the unit of the table; a cell is empty if the contender was not measured.
    figures: Vec<Option<f64>>,
}

/// The unit of the figures of a table.
#[derive(Clone, Copy)]
pub enum Unit {
    /// 10⁹ bytes of input per second.
    GigabytesPerSecond,
    /// Milliseconds.
    Milliseconds,
}

impl Table {
    /// Creates a table without columns.
    pub fn new(unit: Unit) -> Table {
        Table { unit, columns: Vec::new(), rows: Vec::new(), system: Vec::new() }
    }

    /// Adds a column: the median CPU time of each contender on an input of `bytes` bytes.
    pub fn measure(
        &mut self,
        column: &str,
        bytes: usize,
        runs: usize,
        of: CpuTime,
        contenders: &mut [Contender<'_>],
    ) {
        let times = alternate(runs, of, contenders);
        if let CpuTime::Children = of {
            // The system samples where time goes, so that only sums tell.
            let sum = |part: fn(&Time) -> Duration| times[0].iter().map(part).sum::<Duration>();
            self.system.push(sum(|time| time.system).div_duration_f64(sum(|time| time.cpu)));
        }
        for (contender, times) in contenders.iter().zip(&times) {
            let seconds = median(times, |time| time.cpu);
            let figure = match self.unit {
                Unit::GigabytesPerSecond => bytes as f64 / seconds / 1e9,
                Unit::Milliseconds => seconds * 1e3,
            };
            let row = match self.rows.iter_mut().position(|row| row.name == contender.name) {
                Some(index) => &mut self.rows[index],
                None => {
                    let (name, is_peer) = (contender.name.clone(), contender.is_peer);
                    self.rows.push(Row { name, is_peer, figures: Vec::new() });
                    self.rows.last_mut().expect("a row was added")
                }
            };
            row.figures.resize(self.columns.len(), None);
            row.figures.push(Some(figure));
        }
        self.columns.push(column.to_owned());
    }

    /// Prints the table.
    pub fn print(&self) {
        let heading = match self.unit {
            Unit::GigabytesPerSecond => "GB/s",
            Unit::Milliseconds => "ms",
        };
        let has_mean = self.columns.len() > 1 && self.rows.iter().any(|row| row.is_peer);
        let mean = if has_mean { " mean |" } else { "" };
        println!("\n| {heading} | {} |{mean}", self.columns.join(" | "));
        println!("|{}", "---|".repeat(self.columns.len() + 1 + usize::from(has_mean)));
        let (ours, peers) = self.rows.split_at(self.rows.iter().take_while(|r| !r.is_peer).count());
        ours.iter().for_each(|row| self.print_row(row, has_mean));
        if !self.system.is_empty() {
            let shares = self.system.iter().map(|share| format!(" {:.0} % |", share * 100.0));
            let mean = if has_mean { " |" } else { "" };
            println!("| system's part of the first row |{}{mean}", shares.collect::<String>());
        }
        peers.iter().for_each(|row| self.print_row(row, has_mean));
    }

    fn print_row(&self, row: &Row, has_mean: bool) {
        print!("| {} |", row.name);
        let mut ratios = Vec::new();
        for column in 0..self.columns.len() {
            let figure = |row: &Row| row.figures.get(column).copied().flatten();
            let Some(own) = figure(row) else {
                print!(" |");
                continue;
            };
            match figure(&self.rows[0]) {
                Some(first) if row.is_peer => {
                    let ratio = match self.unit {
                        Unit::GigabytesPerSecond => first / own,
                        Unit::Milliseconds => own / first,
                    };
                    ratios.push(ratio);
                    print!(" {} ({} ×) |", digits(own), digits(ratio));
                }
                _ => print!(" {} |", digits(own)),
            }
        }
        if !ratios.is_empty() && has_mean {
            let sum: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
            print!(" {} × |", digits((sum / ratios.len() as f64).exp()));
        } else if has_mean {
            print!(" |");
        }
        println!();
    }
}

/// Writes a number with two significant digits or more.
pub fn digits(number: f64) -> String {
    match number {
        ..0.095 => format!("{number:.3}"),
        ..9.95 => format!("{number:.2}"),
        ..99.5 => format!("{number:.1}"),
        _ => format!("{number:.0}"),
    }
}

/// Measures all contenders in alternation, A B A B, and returns the times of each.
///
/// Short work is repeated, because CPU time has a coarse resolution. Work of more than a second is
/// measured three times at most.
pub fn alternate(runs: usize, of: CpuTime, contenders: &mut [Contender<'_>]) -> Vec<Vec<Time>> {
    const MIN_RUN: Duration = Duration::from_millis(5);
    const LONG_RUN: Duration = Duration::from_secs(1);
    // The first round warms caches and branch predictors, and determines the repetitions.
    let plans: Vec<(u32, usize)> = contenders
        .iter_mut()
        .map(|contender| {
            let time = measure(contender, 1, of).wall;
            let repeats = (MIN_RUN.as_secs_f64() / time.as_secs_f64().max(1e-9)).ceil() as u32;
            (repeats, if time > LONG_RUN { runs.min(3) } else { runs })
        })
        .collect();
    let mut times = vec![Vec::with_capacity(runs); contenders.len()];
    for round in 0..runs {
        for ((contender, times), &(repeats, rounds)) in
            contenders.iter_mut().zip(&mut times).zip(&plans)
        {
            if round < rounds {
                times.push(measure(contender, repeats, of));
            }
        }
    }
    times
}

/// Returns the median of a part of the times, in seconds.
pub fn median(times: &[Time], part: impl Fn(&Time) -> Duration) -> f64 {
    let mut seconds: Vec<f64> = times.iter().map(|time| part(time).as_secs_f64()).collect();
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

/// Returns the average time of `repeats` runs.
fn measure(contender: &mut Contender<'_>, repeats: u32, of: CpuTime) -> Time {
    let (start, [user, system]) = (Instant::now(), machine::cpu(of));
    for _ in 0..repeats {
        (contender.work)();
    }
    let [user_now, system_now] = machine::cpu(of);
    let (user, system) = ((user_now - user) / repeats, (system_now - system) / repeats);
    Time { wall: start.elapsed() / repeats, cpu: user + system, system }
}
