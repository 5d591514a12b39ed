/// The state of Blowfish, as far as bcrypt needs it: key schedules and encryption (Schneier 1993; Provos and Mazières 1999).
struct Blowfish: ~Copyable {
    /// The 18 subkeys, then the four tables of 256 words.
    private var state: [UInt32]

    private static let subkeyCount = 18
    private static let wordCount = subkeyCount + 4 * 256
    /// The state before any key: the fraction of π.
    private static let initialState = PiFraction.words(wordCount)

    /// The state of no key.
    init() {
        state = Self.initialState
    }

    deinit {
        var state = state
        unsafe state.withUnsafeMutableBytes { unsafe wipe($0) }
    }

    /// Mixes a key, and a salt if there is one, into the state.
    mutating func expand(key: [UInt32], salt: [UInt32] = []) {
        for index in 0..<Self.subkeyCount { state[index] ^= key[index % key.count] }
        var (left, right): (UInt32, UInt32) = (0, 0)
        var position = 0
        unsafe state.withUnsafeMutableBufferPointer { state in
            for index in stride(from: 0, to: Self.wordCount, by: 2) {
                if !salt.isEmpty {
                    left ^= salt[position]
                    right ^= salt[position + 1]
                    position = (position + 2) % salt.count
                }
                unsafe Self.encrypt(&left, &right, state)
                unsafe state[index] = left
                unsafe state[index + 1] = right
            }
        }
    }

    /// Encrypts a block of two words.
    mutating func encrypt(_ left: inout UInt32, _ right: inout UInt32) {
        unsafe state.withUnsafeMutableBufferPointer { unsafe Self.encrypt(&left, &right, $0) }
    }

    private static func encrypt(
        _ left: inout UInt32,
        _ right: inout UInt32,
        _ state: UnsafeMutableBufferPointer<UInt32>
    ) {
        var (a, b) = (left, right)
        for round in stride(from: 0, to: 16, by: 2) {
            a ^= unsafe state[round]
            b ^= unsafe mixed(a, state)
            b ^= unsafe state[round + 1]
            a ^= unsafe mixed(b, state)
        }
        a ^= unsafe state[16]
        b ^= unsafe state[17]
        (left, right) = (b, a)
    }

    private static func mixed(_ word: UInt32, _ state: UnsafeMutableBufferPointer<UInt32>) -> UInt32 {
        let first = unsafe state[18 + Int(word >> 24)] &+ state[274 + Int(word >> 16 & 255)]
        return unsafe (first ^ state[530 + Int(word >> 8 & 255)]) &+ state[786 + Int(word & 255)]
    }
}

/// The fraction of π in binary.
enum PiFraction {
    /// The first words of the fraction, by π = 16·arctan(1/5) − 4·arctan(1/239) (Machin).
    static func words(_ count: Int) -> [UInt32] {
        // The words behind the point with two more for what each division cuts off; the one before it comes first.
        var sum = [UInt32](repeating: 0, count: count + 3)
        add(16, 5, to: &sum, isSubtracted: false)
        add(4, 239, to: &sum, isSubtracted: true)
        return Array(sum[1...count])
    }

    /// Adds factor · arctan(1/x) = factor · (1/x − 1/(3x³) + 1/(5x⁵) − …), or subtracts it.
    private static func add(_ factor: UInt32, _ x: UInt32, to sum: inout [UInt32], isSubtracted: Bool) {
        var power = [UInt32](repeating: 0, count: sum.count)
        power[0] = factor
        var start = 0
        divide(&power, by: x, from: &start)
        var (divisor, isNegative) = (UInt32(1), isSubtracted)
        while start < power.count {
            var (term, first) = (power, start)
            divide(&term, by: divisor, from: &first)
            accumulate(term, from: first, into: &sum, isNegative: isNegative)
            divide(&power, by: x * x, from: &start)
            divisor += 2
            isNegative.toggle()
        }
    }

    /// Divides a number, and moves the start past words that have become zero.
    private static func divide(_ number: inout [UInt32], by divisor: UInt32, from start: inout Int) {
        var remainder: UInt64 = 0
        for index in start..<number.count {
            let value = remainder << 32 | UInt64(number[index])
            number[index] = UInt32(truncatingIfNeeded: value / UInt64(divisor))
            remainder = value % UInt64(divisor)
        }
        while start < number.count, number[start] == 0 { start += 1 }
    }

    private static func accumulate(_ term: [UInt32], from start: Int, into sum: inout [UInt32], isNegative: Bool) {
        var carry: UInt64 = 0
        var index = sum.count - 1
        while index >= start || carry != 0, index >= 0 {
            let word = (index >= start ? UInt64(term[index]) : 0) &+ carry
            if isNegative {
                let difference = UInt64(sum[index]) &- word
                sum[index] = UInt32(truncatingIfNeeded: difference)
                carry = difference >> 63
            } else {
                let total = UInt64(sum[index]) &+ word
                sum[index] = UInt32(truncatingIfNeeded: total)
                carry = total >> 32
            }
            index -= 1
        }
    }
}
