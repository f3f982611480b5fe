//! Rectangles of cells by the cells that lie in them.
use crate::evaluation::{CellKey, KeyBuild};
use std::collections::HashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Area {
    pub(crate) sheet: u32,
    pub(crate) row1: i32,
    pub(crate) column1: i32,
    pub(crate) row2: i32,
    pub(crate) column2: i32,
}

impl Area {
    fn contains(&self, (sheet, row, column): CellKey) -> bool {
        sheet == self.sheet
            && (self.row1..=self.row2).contains(&row)
            && (self.column1..=self.column2).contains(&column)
    }
}

/// How tall and how wide the squares of a grid are, as powers of two.
type Grid = (u8, u8);

/// Areas with numbers, found by a cell. Each lies in the finest of several grids whose squares are at least as large as it is, so
/// it touches four squares at most, and a cell has to be looked up once for each grid in use.
#[derive(Default)]
pub(crate) struct AreaIndex {
    areas: Vec<Area>,
    numbers: HashMap<Area, usize, KeyBuild>,
    grids: HashMap<u32, Vec<Grid>, KeyBuild>,
    squares: HashMap<(u32, u32, i32, i32), Vec<usize>, KeyBuild>,
}

impl AreaIndex {
    /// The number of an area, which is the next one where the area is new.
    pub(crate) fn number_of(&mut self, area: Area) -> usize {
        if let Some(number) = self.numbers.get(&area) {
            return *number;
        }
        let number = self.areas.len();
        self.areas.push(area);
        self.numbers.insert(area, number);
        let grid = (power_for(area.row1, area.row2), power_for(area.column1, area.column2));
        let grids = self.grids.entry(area.sheet).or_default();
        if !grids.contains(&grid) {
            grids.push(grid);
        }
        for row in area.row1 >> grid.0..=area.row2 >> grid.0 {
            for column in area.column1 >> grid.1..=area.column2 >> grid.1 {
                let square = (area.sheet, name_of(grid), row, column);
                self.squares.entry(square).or_default().push(number);
            }
        }
        number
    }

    /// Calls a function with the number of each area in which a cell lies.
    pub(crate) fn for_each_around(&self, cell: CellKey, mut task: impl FnMut(usize)) {
        let (sheet, row, column) = cell;
        for grid in self.grids.get(&sheet).into_iter().flatten() {
            let square = (sheet, name_of(*grid), row >> grid.0, column >> grid.1);
            let near = self.squares.get(&square).into_iter().flatten();
            near.filter(|number| self.areas[**number].contains(cell)).for_each(|number| task(*number));
        }
    }
}

fn name_of(grid: Grid) -> u32 {
    u32::from(grid.0) << 8 | u32::from(grid.1)
}

/// The smallest power of two that is no less than the count of lines from `first` to `last`.
fn power_for(first: i32, last: i32) -> u8 {
    ((last - first).max(0) as u32 + 1).next_power_of_two().trailing_zeros() as u8
}
