import CredentialTesting
import CryptoCore
import Foundation
import IdemixCore
import TestSupport
import Testing

/// The arithmetic on the issuer's secrets compared with its definition.
@Suite struct FactoredGroupTests {
    private let randomness = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 9))

    @Test(arguments: [IdemixSystemParameters.bits1024, .bits2048], [false, true])
    func agreesWithPlainArithmetic(_ parameters: IdemixSystemParameters, usesDigits: Bool) throws {
        let (p, q) = try TestKeys.pair(parameters).privateKey.factors
        let group = try #require(FactoredGroup(p: p, q: q, usesDigits: usesDigits))
        let (n, order) = (p * q, ((p - 1) * (q - 1)).shiftedRight(by: 2))
        for bits in [4, 63, 64, 65, 195, 597, 645] {
            let e = BigInteger.powerOfTwo(bits - 1) + BigInteger.random(bits: bits - 2, using: randomness) * 2 + 1
            let inverse = try #require(group.inverse(of: e))
            #expect((inverse.number * e).modulo(order) == 1)
            #expect(inverse.number < order)

            let root = BigInteger.random(below: n, using: randomness)
            let square = (root * root).modulo(n)
            let element = group.element(square)
            #expect(element.isSquare)
            let power = element.power(inverse)
            #expect(power == square.power(inverse.number, modulo: n))
            #expect(group.isPower(square, of: power, e))
            #expect(!group.isPower(square, of: power, e + 2))
            #expect(element.squarePower(inverse) == power)

            let randomizer = group.randomExponent(using: randomness)
            let challenge = BigInteger.random(bits: 256, using: randomness)
            let response = group.response(randomizer: randomizer, challenge: challenge, secret: inverse)
            #expect(response == (randomizer.number - challenge * inverse.number).modulo(order))
        }
    }

    @Test func knowsSquares() throws {
        let (p, q) = try TestKeys.pair(.bits1024).privateKey.factors
        let group = try #require(FactoredGroup(p: p, q: q))
        let n = p * q
        // −1 is a square modulo neither factor; its product with a square is a square modulo neither.
        let square = BigInteger(9)
        #expect(group.element(square).isSquare)
        #expect(!group.element(n - square).isSquare)
        // A square modulo one factor only: 4 modulo p, −4 modulo q.
        let inverse = try #require(p.inverse(modulo: q))
        let mixed = (4 + p * ((q - 8) * inverse).modulo(q)).modulo(n)
        #expect(!group.element(mixed).isSquare)
        // The root that an issuer takes is the root of a square only.
        let e = BigInteger.powerOfTwo(596) + 7
        let root = try #require(group.inverse(of: e))
        for (number, isSquare) in [(square, true), (n - square, false), (mixed, false)] {
            #expect(group.isPower(number, of: group.element(number).squarePower(root), e) == isSquare)
        }
        #expect(group.element(1).isSquare)
    }

    @Test func refusesWhatHasNoInverse() throws {
        let (p, q) = try TestKeys.pair(.bits1024).privateKey.factors
        let group = try #require(FactoredGroup(p: p, q: q))
        for e in [BigInteger.zero, 1, 2, -3, BigInteger.powerOfTwo(64), (p - 1).shiftedRight(by: 1)] {
            #expect(group.inverse(of: e) == nil)
        }
        #expect(FactoredGroup(p: p, q: p) == nil)
        #expect(FactoredGroup(p: p + 1, q: q) == nil)
    }

    @Test func anEvenNumberIsNoWitnessesPrime() throws {
        let keys = try TestKeys.pair(.bits1024)
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        var authority = try RevocationAuthority(keys: keys, at: date, using: randomness)
        #expect(code { try authority.revoke(10, at: date, keys: keys) } == .outOfRange)
    }

    @Test func responsesAreSums() {
        for bits in [1, 64, 65, 255, 640] {
            let (randomizer, secret) = (
                BigInteger.random(bits: bits + 384, using: randomness), BigInteger.random(bits: bits, using: randomness)
            )
            for challenge in [BigInteger.zero, 1, BigInteger.powerOfTwo(256) - 1] {
                let response = BigInteger.response(
                    randomizer: randomizer,
                    challenge: challenge,
                    secret: secret,
                    bits: bits
                )
                #expect(response == randomizer + challenge * secret)
            }
        }
    }

    @Test func secretsTravelInWipedBytes() throws {
        for count in 0..<70 {
            let bytes = randomness.bytes(count)
            let number = BigInteger(SecretBytes(bytes))
            #expect(number == BigInteger(bytes: bytes) && number == BigInteger(bytes: bytes[...].lazy.map { $0 }))
            #expect(number.secretBytes().exposed == number.bytes)
            #expect(number.secretBytes(paddedTo: 80).exposed == number.bytes(paddedTo: 80))
            let base64 = SecretBytes(bytes).base64
            #expect(base64.exposed == Array(Data(bytes).base64EncodedString().utf8))
            #expect(SecretBytes(base64: base64)?.exposed == bytes)
        }
        for text in ["A", "AA", "AAA", "====", "A===", "AA=A", "=AAA", "AAAA=", "AA-_", "AAA\u{e9}"] {
            #expect(SecretBytes(base64: SecretBytes(Array(text.utf8))) == nil, "\(text)")
        }
        #expect(SecretBytes(base64: SecretBytes(Array(" A A\nE = ".utf8)))?.exposed == [0, 1])
    }
}
