import IdemixCore
import Testing

@testable import IdemixKeyProofs

@Suite struct PowerChainTests {
    private let m: BigInteger = 1_000_003

    private func chain(_ base: BigInteger) -> PowerChain {
        let half = m.shiftedRight(by: 1)
        return PowerChain(
            LimbBuffer(base, bits: 20),
            LimbBuffer(half, bits: 20),
            exponentBits: half.bitCount,
            count: half.bitCount + 2,
            modulo: LimbBuffer(m, bits: 20)
        )
    }

    @Test(arguments: [2, 3, 5, 1_000_002, 1])
    func followsThePower(base: Int) {
        let chain = chain(BigInteger(base))
        let exponent = m.shiftedRight(by: 1)
        #expect(chain.squares.count == exponent.bitCount + 2)
        for (position, square) in chain.squares.enumerated() {
            #expect(square.number == BigInteger(base).power(.powerOfTwo(position), modulo: m))
        }
        for (position, result) in chain.results.enumerated() {
            let low = exponent.modulo(.powerOfTwo(position + 1))
            #expect(result.number == BigInteger(base).power(low, modulo: m))
        }
        let power = BigInteger(base).power(exponent, modulo: m)
        #expect(chain.isOne.number == (power == .one ? 1 : 0))
        #expect(chain.isMinusOne.number == (power == m - 1 ? 1 : 0))
    }

    @Test(arguments: [2, 3, 5])
    func quotientsMakeTheProductsExact(base: Int) {
        let chain = chain(BigInteger(base))
        let final: BigInteger = chain.isOne.number == .one ? 1 : -1
        for position in chain.quotients.indices where chain.bits[position].number == .one {
            let before = position == 0 ? BigInteger.one : chain.results[position - 1].number
            let after = position < chain.results.count ? chain.results[position].number : final
            #expect(before * chain.squares[position].number == after + chain.quotients[position].number * m)
        }
        for position in 1..<chain.squares.count {
            let root = chain.squares[position - 1].number
            #expect(root * root == chain.squares[position].number + chain.squareQuotients[position].number * m)
        }
    }

    @Test func aCompositeHasPowersThatAreNeither() {
        let chain = PowerChain(
            LimbBuffer(2, bits: 20),
            LimbBuffer(BigInteger(1_000_001).shiftedRight(by: 1), bits: 20),
            exponentBits: 19,
            count: 21,
            modulo: LimbBuffer(1_000_001, bits: 20)
        )
        #expect(chain.isOne.number == 0)
        #expect(chain.isMinusOne.number == 0)
    }
}
