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
