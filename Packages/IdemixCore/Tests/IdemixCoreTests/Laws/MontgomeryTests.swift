import CredentialTesting
import CryptoCore
import IdemixCore
import TestSupport
import Testing

/// Residues in limbs and in digits compared with plain arithmetic.
@Suite struct MontgomeryTests {
    private let randomness = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 21))

    /// Moduli of the lengths of keys, of their factors and of signatures' primes: random, the largest and the smallest.
    private func moduli(_ bits: Int) -> [BigInteger] {
        let half = BigInteger.powerOfTwo(bits - 1)
        return [half + BigInteger.random(bits: bits - 2, using: randomness) * 2 + 1, half * 2 - 1, half + 1]
    }

    @Test(arguments: [512, 597, 645, 901, 1_024, 2_048, 4_096], [false, true])
    func productsAreThoseOfPlainArithmetic(_ bits: Int, usesDigits: Bool) {
        for n in moduli(bits) {
            let modulus = MontgomeryModulus(n, usesDigits: usesDigits)
            let numbers =
                [0, 1, 2, n - 1, n - 2, n.shiftedRight(by: 1)]
                + (0..<20).map { _ in BigInteger.random(below: n, using: randomness) }
            for a in numbers {
                let residue = modulus.residue(of: a)
                #expect(modulus.number(of: residue) == a)
                for b in numbers {
                    let product = modulus.product(residue, modulus.residue(of: b))
                    #expect(modulus.number(of: product) == (a * b).modulo(n))
                }
            }
            // Results stay in their range over many steps.
            var (power, expected) = (modulus.residue(of: n - 2), n - 2)
            for _ in 0..<100 {
                power = modulus.product(power, power)
                expected = (expected * expected).modulo(n)
            }
            #expect(modulus.number(of: power) == expected)
        }
    }

    @Test(arguments: [512, 1_024, 2_048, 4_096])
    func takesNumbersOfOtherLengths(_ bits: Int) {
        for usesDigits in [false, true] {
            let n = moduli(bits)[0]
            let modulus = MontgomeryModulus(n, usesDigits: usesDigits)
            for number in [n, n + 1, BigInteger.powerOfTwo(bits) - 1, BigInteger.powerOfTwo(3 * bits) + 5, -7] {
                #expect(modulus.number(of: modulus.residue(of: number)) == number.modulo(n))
            }
        }
    }
}
