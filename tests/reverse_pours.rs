//! Reverse pours against the forward rules, in both directions.

use proptest::prelude::*;

use pourfect::puzzle::Board;
use pourfect::puzzle::water::{Color, Goal, PourRule, Unpour, Water, WaterRules};

/// Any position with colors that fill up to three tubes, none, some or all of it mixed.
fn positions() -> impl Strategy<Value = Water> {
    let size = (2..=5usize, 2..=5u8, 0..=3usize, prop::sample::select(&PourRule::ALL[..]));
    size.prop_flat_map(|(colors, capacity, spare, pour)| {
        let tubes_of = prop::collection::vec(1..=3usize, colors);
        tubes_of.prop_flat_map(move |tubes_of| {
            let count = tubes_of.iter().sum::<usize>() + spare;
            let units: Vec<Color> = (tubes_of.iter().enumerate())
                .flat_map(|(color, tubes)| vec![color; tubes * usize::from(capacity)])
                .map(|color| Color::new(color).unwrap())
                .collect();
            let places = prop::collection::vec(0..count, units.len());
            (Just(units).prop_shuffle(), places).prop_map(move |(units, places)| {
                let mut tubes = vec![vec![]; count];
                for (unit, place) in units.into_iter().zip(places) {
                    let open = (place..count).chain(0..place);
                    let full = |tube: &usize| tubes[*tube].len() == usize::from(capacity);
                    let tube = open.into_iter().find(|tube| !full(tube)).unwrap();
                    tubes[tube].push(unit);
                }
                let rules = WaterRules { capacity, pour, goal: Goal::Sorted };
                Water::new(rules, tubes).unwrap()
            })
        })
    })
}

/// The position before, made by hand: units off one tube, onto the other.
fn before(level: &Water, unpour: Unpour) -> Water {
    let mut tubes: Vec<Vec<Color>> =
        level.tubes().iter().map(|tube| tube.units().to_vec()).collect();
    for _ in 0..unpour.units {
        let unit = tubes[unpour.from].pop().unwrap();
        tubes[unpour.onto].push(unit);
    }
    Water::new(level.rules(), tubes).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn the_forward_pour_undoes_every_reverse_pour(level in positions()) {
        for unpour in level.unpours() {
            let mut board = before(&level, unpour);
            board.play(format!("{}>{}", unpour.onto, unpour.from).parse().unwrap()).unwrap();
            prop_assert_eq!(&board, &level);
        }
    }

    #[test]
    fn every_forward_pour_has_its_reverse(level in positions()) {
        for action in level.legal_moves() {
            let mut after = level.clone();
            after.play(action).unwrap();
            let (onto, from) = (action.source.index(), action.target.index());
            let units = level.tubes()[onto].len() - after.tubes()[onto].len();
            let relabels = after.tubes()[onto].is_empty() && level.tubes()[from].is_empty();
            prop_assert_eq!(after.can_unpour(Unpour { from, onto, units }), !relabels);
        }
    }
}
