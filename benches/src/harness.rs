//! Comparison by medians, in alternation within one run.

use std::time::{Duration, Instant};

use crate::machine::{self, CpuTime};

/// An implementation to be measured.
pub struct Contender<'a> {
    name: String,
    work: Box<dyn FnMut() + 'a>,
}

impl<'a> Contender<'a> {
    /// Creates a contender that runs `work`.
    pub fn new(name: impl Into<String>, work: impl FnMut() + 'a) -> Contender<'a> {
        Contender { name: name.into(), work: Box::new(work) }
    }
}

/// The duration of one run.
#[derive(Clone, Copy)]
struct Time {
    wall: Duration,
    cpu: Duration,
}

/// Measures all contenders in alternation, A B A B, and prints a table. The last columns are the
/// speed of the first contender as a multiple of the speed of each other one, by medians.
///
/// Short work is repeated, because CPU time has a coarse resolution.
pub fn compare(
    title: &str,
    unit: Unit,
    runs: usize,
    of: CpuTime,
    contenders: &mut [Contender<'_>],
) {
    const MIN_RUN: Duration = Duration::from_millis(5);
    println!("\n{title}");
    let mut times = vec![Vec::with_capacity(runs); contenders.len()];
    // The first round warms caches and branch predictors, and determines the repetitions.
    let repeats: Vec<u32> = contenders
        .iter_mut()
        .map(|contender| {
            let time = measure(contender, 1, of);
            (MIN_RUN.as_secs_f64() / time.wall.as_secs_f64().max(1e-9)).ceil() as u32
        })
        .collect();
    for _ in 0..runs {
        for (i, contender) in contenders.iter_mut().enumerate() {
            times[i].push(measure(contender, repeats[i], of));
        }
    }
    let sorted = |part: fn(&Time) -> Duration| -> Vec<Vec<f64>> {
        let column = |times: &Vec<Time>| {
            let mut seconds: Vec<f64> = times.iter().map(|time| part(time).as_secs_f64()).collect();
            seconds.sort_by(f64::total_cmp);
            seconds
        };
        times.iter().map(column).collect()
    };
    let (wall, cpu) = (sorted(|time| time.wall), sorted(|time| time.cpu));
    let median = |seconds: &Vec<f64>| seconds[seconds.len() / 2];
    println!("{:34} {:>27}   {:>9}   ratio: CPU, wall", "", unit.heading(), "wall");
    for (i, contender) in contenders.iter().enumerate() {
        let figure = |seconds: f64| unit.figure(seconds);
        let (fastest, slowest) = (cpu[i][0], cpu[i][runs - 1]);
        print!(
            "  {:32} {:>9} ({} .. {})   {:>9}",
            contender.name,
            figure(median(&cpu[i])),
            figure(slowest),
            figure(fastest),
            figure(median(&wall[i])),
        );
        match i {
            0 => println!(),
            _ => println!(
                "   {:.2} x  {:.2} x",
                median(&cpu[i]) / median(&cpu[0]),
                median(&wall[i]) / median(&wall[0])
            ),
        }
    }
}

/// The unit of the figures of a table.
#[derive(Clone, Copy)]
pub enum Unit {
    /// GB/s, for work on this number of bytes.
    BytesPerSecond(usize),
    /// Milliseconds.
    Milliseconds,
}

impl Unit {
    fn heading(self) -> &'static str {
        match self {
            Unit::BytesPerSecond(_) => "GB/s of CPU time (spread)",
            Unit::Milliseconds => "ms of CPU time (spread)",
        }
    }

    fn figure(self, seconds: f64) -> String {
        match self {
            Unit::BytesPerSecond(bytes) => format!("{:.3}", bytes as f64 / seconds / 1e9),
            Unit::Milliseconds => format!("{:.3}", seconds * 1e3),
        }
    }
}

/// Returns the average time of `repeats` runs.
fn measure(contender: &mut Contender<'_>, repeats: u32, of: CpuTime) -> Time {
    let (start, before) = (Instant::now(), machine::cpu(of));
    for _ in 0..repeats {
        (contender.work)();
    }
    Time { wall: start.elapsed() / repeats, cpu: (machine::cpu(of) - before) / repeats }
}
