//! Distributions of probability, for parameters of every size. Densities are made of deviations instead of gamma functions, which
//! cancel each other out (C. Loader, "Fast and accurate computation of binomial probabilities", 2000); tails are continued
//! fractions and series, and where those would be long, Temme's expansions (DLMF 8.12 and 8.18). Nothing takes longer than some
//! thousand steps.
use libm::erfc;
use statrs::function::erf::erfc_inv;
use statrs::function::gamma::ln_gamma;
use std::f64::consts::{PI, SQRT_2};

/// What lies below a value, and what above it: each is exact where it is small.
#[derive(Clone, Copy)]
struct Tails {
    lower: f64,
    upper: f64,
}

impl Tails {
    fn of_lower(lower: f64) -> Tails {
        Tails { lower, upper: 1.0 - lower }
    }

    fn swapped(self) -> Tails {
        Tails { lower: self.upper, upper: self.lower }
    }
}

const LONGEST: usize = 20_000;
const LARGE: f64 = 1e5;

/// ln n! less Stirling's formula for it.
fn stirling_error(n: f64) -> f64 {
    if n <= 15.0 {
        return ln_gamma(n + 1.0) - (n + 0.5) * n.ln() + n - 0.5 * (2.0 * PI).ln();
    }
    let square = n * n;
    (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / 1188.0 / square) / square) / square) / square) / n
}

/// x ln(x / mean) + mean - x.
fn deviance(x: f64, mean: f64) -> f64 {
    if (x - mean).abs() >= 0.1 * (x + mean) {
        return x * (x / mean).ln() + mean - x;
    }
    let ratio = (x - mean) / (x + mean);
    let mut sum = (x - mean) * ratio;
    let mut term = 2.0 * x * ratio;
    for j in 1..1000 {
        term *= ratio * ratio;
        let next = sum + term / (2 * j + 1) as f64;
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// mean^x e^-mean / x!
fn poisson_density(x: f64, mean: f64) -> f64 {
    if mean == 0.0 || x == 0.0 {
        return if x == 0.0 { (-mean).exp() } else { 0.0 };
    }
    if mean < x * f64::MIN_POSITIVE {
        return (x * mean.ln() - mean - ln_gamma(x + 1.0)).exp();
    }
    (-stirling_error(x) - deviance(x, mean)).exp() / (2.0 * PI * x).sqrt()
}

/// n! / (x! (n - x)!) p^x q^(n - x), with p + q = 1.
fn binomial_density(x: f64, n: f64, p: f64, q: f64) -> f64 {
    let all = |n: f64, p: f64, q: f64| {
        if n == 0.0 {
            1.0
        } else if p < 0.1 {
            (-deviance(n, n * q) - n * p).exp()
        } else {
            (n * q.ln()).exp()
        }
    };
    if x < 0.0 || x > n {
        return 0.0;
    }
    if p == 0.0 || q == 0.0 {
        return if (p == 0.0 && x == 0.0) || (q == 0.0 && x == n) { 1.0 } else { 0.0 };
    }
    if x == 0.0 {
        return all(n, p, q);
    }
    if x == n {
        return all(n, q, p);
    }
    let exponent = stirling_error(n)
        - stirling_error(x)
        - stirling_error(n - x)
        - deviance(x, n * p)
        - deviance(n - x, n * q);
    (exponent - 0.5 * ((2.0 * PI).ln() + x.ln() + (-x / n).ln_1p())).exp()
}

/// The regularized incomplete gamma functions.
fn gamma_tails(a: f64, x: f64) -> Tails {
    if x <= 0.0 {
        return Tails::of_lower(0.0);
    }
    if x == f64::INFINITY {
        return Tails::of_lower(1.0);
    }
    if a >= LARGE {
        return large_gamma_tails(a, x);
    }
    let density = poisson_density(a, x);
    if x < a + 1.0 {
        let (mut term, mut sum) = (1.0, 1.0);
        for n in 1..LONGEST {
            term *= x / (a + n as f64);
            sum += term;
            if term < sum * f64::EPSILON {
                break;
            }
        }
        return Tails::of_lower((density * sum).min(1.0));
    }
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / f64::MIN_POSITIVE;
    let mut d = 1.0 / b;
    let mut fraction = d;
    for i in 1..LONGEST {
        let i = i as f64;
        let an = -i * (i - a);
        b += 2.0;
        d = 1.0 / not_zero(an * d + b);
        c = not_zero(b + an / c);
        fraction *= d * c;
        if (d * c - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    Tails::of_lower((density * a * fraction).min(1.0)).swapped()
}

fn not_zero(value: f64) -> f64 {
    if value.abs() < f64::MIN_POSITIVE {
        f64::MIN_POSITIVE
    } else {
        value
    }
}

/// DLMF 8.12.7 with the first two terms, near the mean; further away nothing is left of a tail.
fn large_gamma_tails(a: f64, x: f64) -> Tails {
    let half = deviance(a, x) / a;
    let eta = (2.0 * half.max(0.0)).sqrt() * if x < a { -1.0 } else { 1.0 };
    let first = -1.0 / 3.0 + eta * (1.0 / 12.0 + eta * (-2.0 / 135.0 + eta * (1.0 / 864.0 + eta / 2835.0)));
    let second = -1.0 / 540.0 - eta / 288.0;
    let rest = (-a * half).exp() / (2.0 * PI * a).sqrt() * (first + second / a);
    tails_of(eta * (a / 2.0).sqrt(), rest)
}

/// Of an expansion around the normal distribution.
fn tails_of(deviation: f64, rest: f64) -> Tails {
    let bounded = |value: f64| if value.is_nan() { value } else { value.clamp(0.0, 1.0) };
    Tails {
        lower: bounded(0.5 * erfc(-deviation) - rest),
        upper: bounded(0.5 * erfc(deviation) + rest),
    }
}

/// The regularized incomplete beta function at x, with y = 1 - x.
fn beta_tails(a: f64, b: f64, x: f64, y: f64) -> Tails {
    if x <= 0.0 || y <= 0.0 {
        return Tails::of_lower(if x <= 0.0 { 0.0 } else { 1.0 });
    }
    if a.min(b) >= LARGE {
        return large_beta_tails(a, b, x, y);
    }
    if approaches_gamma(a, b) {
        return gamma_tails(b, -(a + (b - 1.0) / 2.0) * (-y).ln_1p()).swapped();
    }
    if approaches_gamma(b, a) {
        return gamma_tails(a, -(b + (a - 1.0) / 2.0) * (-x).ln_1p());
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return lower_beta(b, a, y, x).swapped();
    }
    lower_beta(a, b, x, y)
}

/// Whether one parameter is so much larger that nothing is left of what the first term of DLMF 8.18.9's kin, the gamma function
/// of the smaller one, leaves out.
fn approaches_gamma(large: f64, small: f64) -> bool {
    large >= LARGE && small * (small * small + 1.0) < 1e-11 * large * large
}

fn lower_beta(a: f64, b: f64, x: f64, y: f64) -> Tails {
    let front = binomial_density(a, a + b, x, y) * b / (a + b);
    if front == 0.0 {
        return Tails::of_lower(0.0);
    }
    let mut c = 1.0;
    let mut d = 1.0 / not_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for m in 1..LONGEST {
        let m = m as f64;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / not_zero(1.0 + even * d);
        c = not_zero(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / not_zero(1.0 + odd * d);
        c = not_zero(1.0 + odd / c);
        fraction *= d * c;
        if (d * c - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    Tails::of_lower((front * fraction).clamp(0.0, 1.0))
}

/// DLMF 8.18.9 with the first term.
fn large_beta_tails(a: f64, b: f64, x: f64, y: f64) -> Tails {
    let all = a + b;
    let (mean, other) = (a / all, b / all);
    let half = (deviance(a, all * x) + deviance(b, all * y)) / all;
    let eta = (2.0 * half.max(0.0)).sqrt() * if x < mean { -1.0 } else { 1.0 };
    let spread = (mean * other).sqrt();
    // Both parts grow without bounds near the mean, their difference does not.
    let first = if eta.abs() < 1e-4 {
        (1.0 - 2.0 * mean) / (3.0 * spread)
    } else {
        1.0 / eta - spread / (x - mean)
    };
    let rest = (-all * half).exp() / (2.0 * PI * all).sqrt() * first;
    tails_of(eta * (all / 2.0).sqrt(), -rest)
}

/// The value with a probability below it, of those from 0.
fn quantile(p: f64, upper: f64, start: f64, tails: impl Fn(f64) -> Tails) -> f64 {
    if p <= 0.0 {
        return 0.0;
    }
    if upper <= 0.0 {
        return f64::INFINITY;
    }
    // The smaller tail says more.
    let is_below = |value: f64| {
        let found = tails(value);
        if p < 0.5 { found.lower < p } else { found.upper > upper }
    };
    let (mut low, mut high) = (0.0, start.max(f64::MIN_POSITIVE));
    while is_below(high) && high < f64::MAX / 2.0 {
        low = high;
        high *= 2.0;
    }
    for _ in 0..400 {
        let middle = if low == 0.0 {
            high / 1024.0
        } else if high > 4.0 * low {
            low.sqrt() * high.sqrt()
        } else {
            low + (high - low) / 2.0
        };
        if middle <= low || middle >= high {
            break;
        }
        if is_below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

type Made<T> = Result<T, ()>;

fn made<T>(holds: bool, value: T) -> Made<T> {
    if holds { Ok(value) } else { Err(()) }
}

pub(crate) struct Gamma {
    shape: f64,
    rate: f64,
}

impl Gamma {
    pub fn new(shape: f64, rate: f64) -> Made<Gamma> {
        made(shape > 0.0 && rate > 0.0, Gamma { shape, rate })
    }

    pub fn cdf(&self, x: f64) -> f64 {
        gamma_tails(self.shape, x * self.rate).lower
    }

    pub fn sf(&self, x: f64) -> f64 {
        gamma_tails(self.shape, x * self.rate).upper
    }

    pub fn pdf(&self, x: f64) -> f64 {
        let Gamma { shape, rate } = *self;
        if x < 0.0 {
            0.0
        } else if x == 0.0 {
            match shape.partial_cmp(&1.0) {
                Some(std::cmp::Ordering::Less) => f64::INFINITY,
                Some(std::cmp::Ordering::Equal) => rate,
                _ => 0.0,
            }
        } else if shape < 1.0 {
            poisson_density(shape, x * rate) * shape / x
        } else {
            poisson_density(shape - 1.0, x * rate) * rate
        }
    }

    pub fn inverse_cdf(&self, p: f64) -> f64 {
        quantile(p, 1.0 - p, self.shape, |x| gamma_tails(self.shape, x)) / self.rate
    }

    pub fn inverse_sf(&self, upper: f64) -> f64 {
        quantile(1.0 - upper, upper, self.shape, |x| gamma_tails(self.shape, x)) / self.rate
    }
}

pub(crate) struct ChiSquared;

impl ChiSquared {
    pub fn new(freedom: f64) -> Made<Gamma> {
        Gamma::new(freedom / 2.0, 0.5)
    }
}

fn beta_density(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let edge = |power: f64, other: f64| {
        if power < 1.0 {
            f64::INFINITY
        } else if power == 1.0 {
            other
        } else {
            0.0
        }
    };
    if x < 0.0 || y < 0.0 {
        return 0.0;
    }
    if x == 0.0 {
        return edge(a, b);
    }
    if y == 0.0 {
        return edge(b, a);
    }
    match (a < 1.0, b < 1.0) {
        (true, true) => a * b / ((a + b) * x * y) * binomial_density(a, a + b, x, y),
        (true, false) => a / x * binomial_density(a, a + b - 1.0, x, y),
        (false, true) => b / y * binomial_density(a - 1.0, a + b - 1.0, x, y),
        (false, false) => (a + b - 1.0) * binomial_density(a - 1.0, a + b - 2.0, x, y),
    }
}

pub(crate) struct Beta {
    a: f64,
    b: f64,
}

impl Beta {
    pub fn new(a: f64, b: f64) -> Made<Beta> {
        made(a > 0.0 && b > 0.0, Beta { a, b })
    }

    pub fn cdf(&self, x: f64) -> f64 {
        beta_tails(self.a, self.b, x, 1.0 - x).lower
    }

    pub fn pdf(&self, x: f64) -> f64 {
        beta_density(self.a, self.b, x, 1.0 - x)
    }

    pub fn inverse_cdf(&self, p: f64) -> f64 {
        quantile(p, 1.0 - p, 1.0, |x| beta_tails(self.a, self.b, x, 1.0 - x))
    }
}

pub(crate) struct FisherSnedecor {
    of: f64,
    to: f64,
}

impl FisherSnedecor {
    pub fn new(of: f64, to: f64) -> Made<FisherSnedecor> {
        made(of > 0.0 && to > 0.0, FisherSnedecor { of, to })
    }

    fn tails(&self, x: f64) -> Tails {
        let all = self.of * x + self.to;
        beta_tails(self.of / 2.0, self.to / 2.0, self.of * x / all, self.to / all)
    }

    pub fn cdf(&self, x: f64) -> f64 {
        self.tails(x).lower
    }

    pub fn sf(&self, x: f64) -> f64 {
        self.tails(x).upper
    }

    pub fn pdf(&self, x: f64) -> f64 {
        let all = self.of * x + self.to;
        let (part, rest) = (self.of * x / all, self.to / all);
        beta_density(self.of / 2.0, self.to / 2.0, part, rest) * (self.of / all) * rest
    }

    pub fn inverse_cdf(&self, p: f64) -> f64 {
        quantile(p, 1.0 - p, 1.0, |x| self.tails(x))
    }

    pub fn inverse_sf(&self, upper: f64) -> f64 {
        quantile(1.0 - upper, upper, 1.0, |x| self.tails(x))
    }
}

pub(crate) struct Normal {
    mean: f64,
    spread: f64,
}

impl Normal {
    pub fn new(mean: f64, spread: f64) -> Made<Normal> {
        made(spread > 0.0, Normal { mean, spread })
    }

    pub fn pdf(&self, x: f64) -> f64 {
        let z = (x - self.mean) / self.spread;
        (-z * z / 2.0).exp() / (2.0 * PI).sqrt() / self.spread
    }

    pub fn cdf(&self, x: f64) -> f64 {
        0.5 * erfc((self.mean - x) / self.spread / SQRT_2)
    }

    pub fn sf(&self, x: f64) -> f64 {
        0.5 * erfc((x - self.mean) / self.spread / SQRT_2)
    }

    pub fn inverse_cdf(&self, lower: f64) -> f64 {
        let z = if lower > 0.5 { -lower_quantile(1.0 - lower) } else { lower_quantile(lower) };
        self.mean + self.spread * z
    }
}

/// Where so much of the standard normal distribution, at most a half, lies below: an approximation, and Halley's steps from there.
fn lower_quantile(lower: f64) -> f64 {
    let mut z = -SQRT_2 * erfc_inv(2.0 * lower);
    for _ in 0..3 {
        let step = (0.5 * erfc(-z / SQRT_2) - lower) * (2.0 * PI).sqrt() * (z * z / 2.0).exp();
        if !step.is_finite() {
            break;
        }
        z -= step / (1.0 + z * step / 2.0);
    }
    z
}

/// What has a normal distribution once its logarithm is taken.
pub(crate) struct LogNormal {
    of_logarithm: Normal,
}

impl LogNormal {
    pub fn new(mean: f64, spread: f64) -> Made<LogNormal> {
        Normal::new(mean, spread).map(|of_logarithm| LogNormal { of_logarithm })
    }

    pub fn pdf(&self, x: f64) -> f64 {
        self.of_logarithm.pdf(x.ln()) / x
    }

    pub fn cdf(&self, x: f64) -> f64 {
        self.of_logarithm.cdf(x.ln())
    }

    pub fn inverse_cdf(&self, lower: f64) -> f64 {
        self.of_logarithm.inverse_cdf(lower).exp()
    }
}

/// With mean 0 and scale 1.
pub(crate) struct StudentsT {
    freedom: f64,
}

impl StudentsT {
    pub fn new(_mean: f64, _scale: f64, freedom: f64) -> Made<StudentsT> {
        made(freedom > 0.0, StudentsT { freedom })
    }

    fn tails(&self, t: f64) -> Tails {
        let square = t * t;
        let all = self.freedom + square;
        let (rest, part) = (self.freedom / all, square / all);
        let both = beta_tails(self.freedom / 2.0, 0.5, rest, part);
        let tails = Tails {
            lower: 0.5 + both.upper / 2.0,
            upper: both.lower / 2.0,
        };
        if t < 0.0 { tails.swapped() } else { tails }
    }

    pub fn cdf(&self, t: f64) -> f64 {
        self.tails(t).lower
    }

    pub fn sf(&self, t: f64) -> f64 {
        self.tails(t).upper
    }

    pub fn pdf(&self, t: f64) -> f64 {
        let n = self.freedom;
        let constant = -deviance(n / 2.0, (n + 1.0) / 2.0) + stirling_error((n + 1.0) / 2.0) - stirling_error(n / 2.0);
        let growth = (t * t / n).ln_1p() / 2.0;
        (constant - n * growth - growth).exp() / (2.0 * PI).sqrt()
    }

    pub fn inverse_sf(&self, upper: f64) -> f64 {
        if upper > 0.5 {
            return -self.inverse_sf(1.0 - upper);
        }
        if upper == 0.5 {
            return 0.0;
        }
        quantile(1.0 - upper, upper, 1.0, |t| self.tails(t))
    }

    pub fn inverse_cdf(&self, p: f64) -> f64 {
        if p < 0.5 { -self.inverse_sf(p) } else { self.inverse_sf(1.0 - p) }
    }
}

pub(crate) struct Binomial {
    p: f64,
    n: u64,
}

impl Binomial {
    pub fn new(p: f64, n: u64) -> Made<Binomial> {
        made((0.0..=1.0).contains(&p), Binomial { p, n })
    }

    pub fn cdf(&self, k: u64) -> f64 {
        if k >= self.n {
            return 1.0;
        }
        beta_tails((self.n - k) as f64, k as f64 + 1.0, 1.0 - self.p, self.p).lower
    }

    pub fn pmf(&self, k: u64) -> f64 {
        binomial_density(k as f64, self.n as f64, self.p, 1.0 - self.p)
    }
}

pub(crate) struct NegativeBinomial {
    successes: f64,
    p: f64,
}

impl NegativeBinomial {
    pub fn new(successes: f64, p: f64) -> Made<NegativeBinomial> {
        made(successes > 0.0 && (0.0..=1.0).contains(&p), NegativeBinomial { successes, p })
    }

    pub fn cdf(&self, failures: u64) -> f64 {
        beta_tails(self.successes, failures as f64 + 1.0, self.p, 1.0 - self.p).lower
    }

    pub fn pmf(&self, failures: u64) -> f64 {
        let (r, k) = (self.successes, failures as f64);
        binomial_density(r, r + k, self.p, 1.0 - self.p) * r / (r + k)
    }
}

pub(crate) struct Poisson {
    mean: f64,
}

impl Poisson {
    pub fn new(mean: f64) -> Made<Poisson> {
        made(mean > 0.0, Poisson { mean })
    }

    pub fn cdf(&self, k: u64) -> f64 {
        gamma_tails(k as f64 + 1.0, self.mean).upper
    }

    pub fn pmf(&self, k: u64) -> f64 {
        poisson_density(k as f64, self.mean)
    }
}

/// What is drawn of a population without putting it back.
pub(crate) struct Hypergeometric {
    successes: f64,
    failures: f64,
    drawn: f64,
}

impl Hypergeometric {
    pub fn new(population: u64, successes: u64, drawn: u64) -> Made<Hypergeometric> {
        made(
            successes <= population && drawn <= population,
            Hypergeometric {
                successes: successes as f64,
                failures: (population.saturating_sub(successes)) as f64,
                drawn: drawn as f64,
            },
        )
    }

    pub fn pmf(&self, k: u64) -> f64 {
        self.density(k as f64)
    }

    fn density(&self, k: f64) -> f64 {
        let all = self.successes + self.failures;
        let (p, q) = (self.drawn / all, (all - self.drawn) / all);
        if q == 0.0 {
            return if k == self.successes { 1.0 } else { 0.0 };
        }
        binomial_density(k, self.successes, p, q) * binomial_density(self.drawn - k, self.failures, p, q)
            / binomial_density(self.drawn, all, p, q)
    }

    pub fn cdf(&self, k: u64) -> f64 {
        let k = k as f64;
        let all = self.successes + self.failures;
        let mean = self.drawn * (self.successes / all);
        let spread = (mean * (self.failures / all) * ((all - self.drawn) / (all - 1.0))).sqrt();
        if spread > LARGE {
            return 0.5 * erfc((mean - k - 0.5) / spread / SQRT_2);
        }
        if k >= self.successes.min(self.drawn) {
            return 1.0;
        }
        if k <= mean {
            return self.sum(k, -1.0).min(1.0);
        }
        (1.0 - self.sum(k + 1.0, 1.0)).max(0.0)
    }

    /// The probabilities of a count and of those beyond it, away from the mean.
    fn sum(&self, from: f64, step: f64) -> f64 {
        let Hypergeometric { successes, failures, drawn } = *self;
        let (mut k, mut term, mut sum) = (from, 1.0, 1.0);
        while term > sum * f64::EPSILON {
            term *= if step < 0.0 {
                k * (failures - drawn + k) / ((drawn + 1.0 - k) * (successes + 1.0 - k))
            } else {
                (successes - k) * (drawn - k) / ((k + 1.0) * (failures - drawn + k + 1.0))
            };
            sum += term;
            k += step;
        }
        self.density(from) * sum
    }
}
