//! How well predictions agree with measurements.

use std::collections::BTreeMap;

/// The ranks of values, from 1; equal ones share their mean rank.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut from = 0;
    for tied in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let to = from + tied.len();
        tied.iter().for_each(|&index| ranks[index] = (from + to + 1) as f64 / 2.0);
        from = to;
    }
    ranks
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Pearson's correlation; 0 where one side does not vary.
fn correlation(x: &[f64], y: &[f64]) -> f64 {
    let (mean_x, mean_y) = (mean(x), mean(y));
    let (mut both, mut square_x, mut square_y) = (0.0, 0.0, 0.0);
    for (x, y) in x.iter().zip(y) {
        let (x, y) = (x - mean_x, y - mean_y);
        both += x * y;
        square_x += x * x;
        square_y += y * y;
    }
    let scale = libm::sqrt(square_x * square_y);
    if scale > 0.0 { both / scale } else { 0.0 }
}

/// Spearman's rank correlation.
///
/// ```
/// use pourfect::rate::rank_correlation;
/// assert_eq!(rank_correlation(&[1.0, 2.0, 3.0], &[1.0, 10.0, 100.0]), 1.0);
/// assert_eq!(rank_correlation(&[1.0, 2.0, 3.0], &[0.3, 0.2, 0.1]), -1.0);
/// ```
pub fn rank_correlation(x: &[f64], y: &[f64]) -> f64 {
    correlation(&ranks(x), &ranks(y))
}

/// Fewest levels of a size that are ranked among themselves.
const LEAST_GROUP: usize = 4;

/// Rank correlation within sizes: ranks inside each group of 4 or more, centered, divided by the
/// group's size, pooled, then Pearson's correlation.
pub fn rank_correlation_within<G: Ord>(groups: &[G], x: &[f64], y: &[f64]) -> f64 {
    let mut members: BTreeMap<&G, Vec<usize>> = BTreeMap::new();
    for (index, group) in groups.iter().enumerate() {
        members.entry(group).or_default().push(index);
    }
    let (mut pooled_x, mut pooled_y) = (Vec::new(), Vec::new());
    for indexes in members.into_values().filter(|indexes| indexes.len() >= LEAST_GROUP) {
        let relative = |values: &[f64]| -> Vec<f64> {
            let ranks = ranks(&indexes.iter().map(|&index| values[index]).collect::<Vec<_>>());
            let middle = mean(&ranks);
            ranks.iter().map(|rank| (rank - middle) / ranks.len() as f64).collect()
        };
        pooled_x.extend(relative(x));
        pooled_y.extend(relative(y));
    }
    if pooled_x.is_empty() { 0.0 } else { correlation(&pooled_x, &pooled_y) }
}

/// Root mean square error.
pub fn root_mean_square_error(predicted: &[f64], measured: &[f64]) -> f64 {
    let square = |(predicted, measured): (&f64, &f64)| (predicted - measured).powi(2);
    libm::sqrt(predicted.iter().zip(measured).map(square).sum::<f64>() / predicted.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_their_mean_rank() {
        assert_eq!(ranks(&[5.0, 1.0, 5.0, 9.0]), [2.5, 1.0, 2.5, 4.0]);
    }

    #[test]
    fn sizes_that_differ_do_not_count_within() {
        let groups = [1, 1, 1, 1, 2, 2, 2, 2, 3];
        let x = [1.0, 2.0, 3.0, 4.0, 11.0, 12.0, 13.0, 14.0, 99.0];
        let y = [4.0, 3.0, 2.0, 1.0, 14.0, 13.0, 12.0, 11.0, 99.0];
        assert!(rank_correlation(&x, &y) > 0.6);
        assert_eq!(rank_correlation_within(&groups, &x, &y), -1.0);
    }

    #[test]
    fn the_error_is_the_root_of_the_mean_square() {
        assert_eq!(root_mean_square_error(&[0.0, 0.0], &[3.0, 4.0]), libm::sqrt(12.5));
    }
}
