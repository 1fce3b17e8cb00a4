//! How is one thing compared with another? In turn, in one run, by the median.

use std::time::{Duration, Instant};

use crate::machine::{self, Who};

/// Something that is measured.
pub struct Contender<'a> {
    name: String,
    work: Box<dyn FnMut() + 'a>,
}

impl<'a> Contender<'a> {
    /// Name some work.
    pub fn new(name: impl Into<String>, work: impl FnMut() + 'a) -> Contender<'a> {
        Contender { name: name.into(), work: Box::new(work) }
    }
}

/// What one run took.
#[derive(Clone, Copy)]
struct Time {
    wall: Duration,
    cpu: Duration,
}

/// Measure all contenders, A B A B, and print a table. The first is ours: the last columns tell
/// how many times as fast it is as each other, by the medians.
///
/// A run whose work is short is repeated: CPU time has a resolution.
pub fn compare(title: &str, amount: Amount, runs: usize, who: Who, them: &mut [Contender<'_>]) {
    const LEAST: Duration = Duration::from_millis(5);
    println!("\n{title}");
    let mut times = vec![Vec::with_capacity(runs); them.len()];
    // The first round warms caches and branch predictors, and tells how often to repeat.
    let repeats: Vec<u32> = them
        .iter_mut()
        .map(|one| {
            let time = measure(one, 1, who);
            (LEAST.as_secs_f64() / time.wall.as_secs_f64().max(1e-9)).ceil() as u32
        })
        .collect();
    for _ in 0..runs {
        for (i, one) in them.iter_mut().enumerate() {
            times[i].push(measure(one, repeats[i], who));
        }
    }
    let sorted = |of: fn(&Time) -> Duration| -> Vec<Vec<f64>> {
        let column = |times: &Vec<Time>| {
            let mut seconds: Vec<f64> = times.iter().map(|time| of(time).as_secs_f64()).collect();
            seconds.sort_by(f64::total_cmp);
            seconds
        };
        times.iter().map(column).collect()
    };
    let (wall, cpu) = (sorted(|time| time.wall), sorted(|time| time.cpu));
    let middle = |seconds: &Vec<f64>| seconds[seconds.len() / 2];
    println!("{:34} {:>27}   {:>9}   ours: by CPU, by wall", "", amount.heading(), "wall");
    for (i, one) in them.iter().enumerate() {
        let figure = |seconds: f64| amount.figure(seconds);
        let (least, most) = (cpu[i][0], cpu[i][runs - 1]);
        print!(
            "  {:32} {:>9} ({} .. {})   {:>9}",
            one.name,
            figure(middle(&cpu[i])),
            figure(most),
            figure(least),
            figure(middle(&wall[i])),
        );
        match i {
            0 => println!(),
            _ => println!(
                "   {:.2} x  {:.2} x",
                middle(&cpu[i]) / middle(&cpu[0]),
                middle(&wall[i]) / middle(&wall[0])
            ),
        }
    }
}

/// In what a table is given.
#[derive(Clone, Copy)]
pub enum Amount {
    /// GB/s, for so many bytes.
    Bytes(usize),
    /// Milliseconds.
    Once,
}

impl Amount {
    fn heading(self) -> &'static str {
        match self {
            Amount::Bytes(_) => "GB/s of CPU time (spread)",
            Amount::Once => "ms of CPU time (spread)",
        }
    }

    fn figure(self, seconds: f64) -> String {
        match self {
            Amount::Bytes(bytes) => format!("{:.3}", bytes as f64 / seconds / 1e9),
            Amount::Once => format!("{:.3}", seconds * 1e3),
        }
    }
}

/// The time that some work takes, on the average of so many times.
fn measure(one: &mut Contender<'_>, repeats: u32, who: Who) -> Time {
    let (start, before) = (Instant::now(), machine::cpu(who));
    for _ in 0..repeats {
        (one.work)();
    }
    Time { wall: start.elapsed() / repeats, cpu: (machine::cpu(who) - before) / repeats }
}
