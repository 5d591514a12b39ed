import IdemixCore
import Testing

@testable import IdemixKeyProofs

@Suite struct GroupPrimeTests {
    /// The modulus of 1024 bits is the longest whose prime is quick to test.
    @Test func knownPrimesAreSafe() {
        for (bits, difference) in GroupPrime.known where bits < 1_600 {
            let prime = BigInteger.powerOfTwo(bits) - BigInteger(difference)
            #expect(prime.bitCount == bits)
            #expect(prime.isProbablyPrime(rounds: 8) && prime.shiftedRight(by: 1).isProbablyPrime(rounds: 8))
        }
    }

    @Test(arguments: [(1_024, 1_567), (2_048, 2_639), (4_096, 4_682), (512, 1_034), (256, 787), (264, 787), (265, 836)])
    func theModulusDeterminesTheLength(modulus: Int, group: Int) {
        #expect(GroupPrime.bits(modulusBits: modulus) == group)
    }

    @Test func generatesAPrimeWhereNoneIsKnown() throws {
        let prime = try GroupPrime.choose(modulusBits: 32, using: ToyKey.source(4))
        #expect(prime.bitCount == 554)
        #expect(GroupPrime.isAcceptable(prime, modulusBits: 32, using: ToyKey.source(5)))
        #expect(!GroupPrime.isAcceptable(prime, modulusBits: 33, using: ToyKey.source(5)))
        #expect(!GroupPrime.isAcceptable(prime + 1, modulusBits: 32, using: ToyKey.source(5)))
    }

    @Test func generatorsAreSquares() throws {
        let group = try ToyGroup().prover
        for (x, y) in [(1, 0), (0, 1), (3, 8)] {
            let element = group.commitment(group.scalar(BigInteger(x)), group.scalar(BigInteger(y)))
            #expect(group.contains(element))
            #expect(element.power(group.order, modulo: group.prime) == .one)
        }
        #expect(!group.contains(0))
        #expect(!group.contains(group.prime))
        #expect(!group.contains(group.prime - 1))
    }
}

@Suite struct HashNumberTests {
    /// As many hashes one after another as the bits need.
    @Test func joinsHashes() {
        let first = FiatShamir.hash([7, 3, 0])
        let second = FiatShamir.hash([7, 3, 1])
        #expect(HashNumber.number(of: [7], index: 3, bits: 1) == first)
        #expect(HashNumber.number(of: [7], index: 3, bits: 256) == first)
        #expect(HashNumber.number(of: [7], index: 3, bits: 257) == first + second.shiftedLeft(by: 256))
        #expect(HashNumber.number(of: [7], index: 3, bits: 0) == 0)
    }
}
