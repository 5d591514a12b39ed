import CBORKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The value that contains all credentials of a key that have not been revoked, at one time.
public struct RevocationAccumulator: Hashable, Sendable {
    /// ν: for each credential that is not revoked there is a u with u^e = ν.
    public let value: BigInteger
    /// The index of the last event, which is the number of revocations so far.
    public let index: UInt64
    /// When the accumulator was signed, in seconds since 1970.
    public let time: Int64
    /// The hash of the last event.
    public let eventHash: RevocationEventHash

    /// Collects the numbers.
    public init(value: BigInteger, index: UInt64, time: Int64, eventHash: RevocationEventHash) {
        self.value = value
        self.index = index
        self.time = time
        self.eventHash = eventHash
    }

    /// When the accumulator was signed.
    public var date: Date { Date(timeIntervalSince1970: Double(time)) }

    /// The CBOR map that is signed.
    var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.beginMap(count: 4)
        writer.write(text: "Nu")
        writer.write(bytes: value.bytes)
        writer.write(text: "Index")
        writer.write(unsigned: index)
        writer.write(text: "Time")
        writer.write(integer: time)
        writer.write(text: "EventHash")
        writer.write(bytes: eventHash.bytes)
        return writer.finish()
    }

    init(encoded: [UInt8]) throws(IdemixError) {
        do {
            let map = try CBORDocument(encoded).root.map()
            value = BigInteger(bytes: try map.required("Nu").bytes())
            index = try map.required("Index").integer()
            time = try map.required("Time").integer()
            eventHash = try RevocationEventHash(bytes: Array(map.required("EventHash").bytes()))
        } catch {
            throw IdemixError(.invalidSignedMessage, "not an accumulator", path: ["Accumulator"], cause: error)
        }
    }
}

/// The lengths of the revocation accumulator and of the proofs about it.
public enum RevocationParameters {
    /// The prime of a witness, which is the value of the revocation attribute.
    public static let attribute = 195
    /// The statistical zero-knowledge distance.
    static let statisticalZeroKnowledge = 128
    /// The challenge.
    static let challenge = 256
    /// T = 2^384: the excess of a randomizer over its secret.
    static let randomizerExcess = challenge + statisticalZeroKnowledge

    /// The smallest randomizer of any other hidden attribute beside a proof of non-revocation, 2^580.
    ///
    /// The response for the revocation attribute is below 2^580, and the Go verifier knows the attribute by nothing
    /// else: it takes the first response below 2^580, in an order that changes from run to run. So it refuses a proof
    /// with another such response three times in four. With a randomizer of at least 2^580, no response
    /// x^ = x~ + c·x is below, since neither c nor x is negative.
    ///
    /// Zero knowledge is kept. A draw is repeated because of the randomizer alone, before there is a challenge, and not
    /// because of the response: the randomizer is even over 2^580 ..< 2^l instead of 0 ..< 2^l, whatever x is. For two
    /// values of x, the responses' distributions differ by at most max(c·x) / (2^l − 2^580), where c·x is below 2^512 and l
    /// at least 592: a factor of 1 + 2^−12 more than the 2^−80 of before.
    static let smallestOtherRandomizer = BigInteger.powerOfTwo(attribute + randomizerExcess + 1)

    /// The smallest number that the prime of a witness can be, 2^3.
    static let smallestPrime = BigInteger(8)
    /// The largest number that the prime of a witness can be, 2^3 + 2^195.
    static let largestPrime = BigInteger(8) + BigInteger.powerOfTwo(attribute)

    /// The longest exponent of G and H: a response, a product of two randomizers, or a difference moved above zero.
    static func exponentBits(modulus: Int) -> Int {
        modulus + attribute + randomizerExcess + 3
    }
}
