import IdemixCore

/// Numbers of one length in one piece of memory, which is wiped: a proof has millions of them.
struct NumberRow: Sendable {
    /// The number of numbers.
    let count: Int
    private let width: Int
    private let limbs: LimbBuffer

    /// Puts numbers of at most so many bits together.
    init(_ numbers: [LimbBuffer], bits: Int) {
        count = numbers.count
        width = (bits + 63) / 64
        limbs = LimbBuffer(joining: numbers, width: width)
    }

    /// The row of no numbers.
    init() { self.init([], bits: 1) }

    /// The number at a position that there is.
    subscript(position: Int) -> LimbBuffer { LimbBuffer(limbs, from: position * width, count: width) }

    /// All numbers.
    var numbers: [BigInteger] { (0..<count).map { self[$0].number } }
}
