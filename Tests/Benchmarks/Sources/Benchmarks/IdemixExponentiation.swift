import Cgmp

/// The unit P: one `mpz_powm` with a modulus of 1024, 2048 or 4096 bits and an exponent two bits shorter.
///
/// `@unchecked Sendable`: one thread at a time runs it.
final class IdemixExponentiation: @unchecked Sendable {
    private let numbers = UnsafeMutablePointer<__mpz_struct>.allocate(capacity: 4)
    private let bits: UInt

    init(bits: Int = 2_048) {
        self.bits = UInt(bits)
        for index in 0..<4 { __gmpz_init(numbers + index) }
        set(0, bits: self.bits, multiplier: 0x9e37_79b9_7f4a_7c15)
        set(1, bits: self.bits - 1, multiplier: 0xbf58_476d_1ce4_e5b9)
        set(2, bits: self.bits - 2, multiplier: 0x94d0_49bb_1331_11eb)
    }

    deinit {
        for index in 0..<4 { __gmpz_clear(numbers + index) }
        numbers.deallocate()
    }

    func run() {
        __gmpz_powm(numbers + 3, numbers + 1, numbers + 2, numbers)
    }

    /// An odd number of exactly so many bits.
    private func set(_ index: Int, bits: UInt, multiplier: UInt) {
        let number = numbers + index
        var word: UInt = 1
        for _ in 0..<self.bits / 64 {
            word = word &* multiplier &+ 12_345
            __gmpz_mul_2exp(number, number, 64)
            __gmpz_add_ui(number, number, word)
        }
        __gmpz_fdiv_r_2exp(number, number, bits)
        __gmpz_setbit(number, bits - 1)
        __gmpz_setbit(number, 0)
    }
}
