//! Colors that stay apart for every kind of color vision.

/// A color of the palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaletteColor {
    /// Red, green, blue.
    pub rgb: [u8; 3],
    /// Whether a label on it is white; otherwise it is black.
    pub white_label: bool,
    /// Whether it is striped: the palette is used a second time and more.
    pub striped: bool,
}

/// Picked greedily, then improved one by one, from a grid in OKLCH for the largest least distance
/// in OKLab under normal vision, protanopia, deuteranopia and tritanopia (simulated by the matrices
/// of Machado, Oliveira and Fernandes, 2009). Colors that come first differ most.
pub(super) const PALETTE: [[u8; 3]; 20] = [
    [0x78, 0x79, 0xec],
    [0x72, 0x13, 0x0b],
    [0xef, 0xf1, 0x59],
    [0xdb, 0x5d, 0x2c],
    [0x1e, 0x1a, 0xa8],
    [0x44, 0xd4, 0xfb],
    [0x88, 0x51, 0x76],
    [0xea, 0xa4, 0x8c],
    [0xb8, 0x7c, 0xa4],
    [0x31, 0x3b, 0xe7],
    [0xb3, 0x30, 0x22],
    [0xaa, 0xfc, 0xdf],
    [0x51, 0x2b, 0x5a],
    [0x73, 0xa5, 0xf6],
    [0xc8, 0xc9, 0x21],
    [0xb7, 0x38, 0xb0],
    [0xef, 0x86, 0x00],
    [0xc1, 0xe1, 0xa2],
    [0x8e, 0x2e, 0x45],
    [0x92, 0xc2, 0xc4],
];

/// The color of a unit, by its number.
pub fn palette_color(unit: usize) -> PaletteColor {
    let rgb = PALETTE[unit % PALETTE.len()];
    PaletteColor { rgb, white_label: wants_white(rgb), striped: unit >= PALETTE.len() }
}

impl PaletteColor {
    /// As `#rrggbb`.
    pub fn hex(self) -> String {
        let [red, green, blue] = self.rgb;
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// The color of a label on it.
    pub fn label(self) -> &'static str {
        if self.white_label { "#fff" } else { "#000" }
    }
}

/// Whether white has more contrast than black, by a luminance (WCAG 2.2) with gamma 2.
fn wants_white(rgb: [u8; 3]) -> bool {
    let [red, green, blue] = rgb.map(|part| u64::from(part).pow(2));
    let luminance = 2126 * red + 7152 * green + 722 * blue;
    // Both contrasts are equal at a luminance of 0.179.
    luminance < 1790 * 255 * 255
}

#[cfg(test)]
mod tests {
    use super::*;

    type Matrix = [[f64; 3]; 3];

    const VISIONS: [Matrix; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
    ];

    /// Linear sRGB to the cone responses of OKLab, and those to OKLab (Ottosson, 2020).
    const CONES: Matrix = [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ];
    const OKLAB: Matrix = [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ];

    fn times(matrix: &Matrix, vector: [f64; 3]) -> [f64; 3] {
        matrix.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum())
    }

    fn linear(part: u8) -> f64 {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    }

    fn seen(rgb: [u8; 3], vision: &Matrix) -> [f64; 3] {
        let light = times(vision, rgb.map(linear)).map(|part| part.clamp(0.0, 1.0));
        times(&OKLAB, times(&CONES, light).map(f64::cbrt))
    }

    fn least_distance(colors: &[[u8; 3]]) -> f64 {
        let pairs = colors.iter().enumerate();
        let pairs = pairs.flat_map(|(i, a)| colors[..i].iter().map(move |b| (a, b)));
        let distance = |a: [f64; 3], b: [f64; 3]| {
            a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
        };
        let apart = |(a, b): (&[u8; 3], &[u8; 3])| {
            VISIONS.iter().map(|v| distance(seen(*a, v), seen(*b, v))).fold(f64::MAX, f64::min)
        };
        pairs.map(apart).fold(f64::MAX, f64::min)
    }

    #[test]
    fn colors_stay_apart_for_every_color_vision() {
        assert!(least_distance(&PALETTE) > 0.075);
        assert!(least_distance(&PALETTE[..12]) > 0.11);
        assert!(least_distance(&PALETTE[..6]) > 0.2);
    }

    #[test]
    fn labels_can_be_read() {
        for rgb in PALETTE {
            let [red, green, blue] = rgb.map(linear);
            let luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
            let contrast = if wants_white(rgb) {
                1.05 / (luminance + 0.05)
            } else {
                (luminance + 0.05) / 0.05
            };
            assert!(contrast >= 4.5, "{rgb:?}: {contrast}");
        }
    }
}
