package import CBORKit
package import MdocKit

/// A wallet's capabilities beyond the first edition (ISO/IEC TS 18013-7, A.6; ISO/IEC 18013-5 second edition, 9.2).
public struct EngagementCapabilities: Hashable, Sendable {
    /// Indicates that it takes the reader's MAC keys in a request; required for ``macKeysCurves``.
    public var macKeysSupport: Bool?
    /// The curves of MAC keys that it takes, by their COSE numbers.
    public var macKeysCurves: [Int64]?
    /// Indicates that a session can be established in the handover; `false` is written as an absent member (9.1).
    public var handoverSessionEstablishmentSupport: Bool?
    /// Indicates that it checks signatures over the whole request; `false` is written as an absent member (9.1).
    public var readerAuthAllSupport: Bool?
    /// Indicates that it takes requests of version 1.1.
    public var extendedRequestSupport: Bool?

    /// Creates empty capabilities.
    public init() {}

    /// The capabilities in the form in which an engagement may state them.
    ///
    /// - Throws: `MdocError` with code `invalidValue` for curves of MAC keys that are not taken, or for no curve.
    func statable() throws(MdocError) -> EngagementCapabilities {
        if let macKeysCurves {
            guard macKeysSupport == true, !macKeysCurves.isEmpty else {
                throw MdocError(.invalidValue, "macKeysCurves go with macKeysSupport, and name at least one curve")
            }
        }
        var capabilities = self
        // Where these are present, their value is true.
        if handoverSessionEstablishmentSupport == false { capabilities.handoverSessionEstablishmentSupport = nil }
        if readerAuthAllSupport == false { capabilities.readerAuthAllSupport = nil }
        return capabilities
    }
}

extension EngagementCapabilities: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        macKeysSupport = try Self.flag(0, in: map)
        if let curves = map.value(forKey: 1) {
            var numbers: [Int64] = []
            try reading.check(
                try cbor(curves.array()).count,
                limit: reading.options.limits.elements,
                "curves",
                at: curves
            )
            guard try cbor(curves.array()).count > 0 else {
                throw MdocError(.invalidValue, "there must be at least one curve", at: curves)
            }
            for curve in try cbor(curves.array()) { numbers.append(try cbor(curve.integer())) }
            macKeysCurves = numbers
        }
        handoverSessionEstablishmentSupport = try Self.flag(2, in: map)
        readerAuthAllSupport = try Self.flag(3, in: map)
        extendedRequestSupport = try Self.flag(4, in: map)
    }

    private static func flag(_ key: Int, in map: CBORMapView) throws(MdocError) -> Bool? {
        try map.value(forKey: key).map { (view) throws(MdocError) in try cbor(view.bool()) }
    }

    /// Writes the structure.
    func encode(to writer: inout CBORWriter) {
        let flags: [(key: UInt64, value: Bool?)] = [
            (2, handoverSessionEstablishmentSupport), (3, readerAuthAllSupport), (4, extendedRequestSupport),
        ]
        let present = flags.count { $0.value != nil }
        writer.beginMap(count: present + (macKeysSupport == nil ? 0 : 1) + (macKeysCurves == nil ? 0 : 1))
        if let macKeysSupport {
            writer.write(unsigned: 0)
            writer.write(bool: macKeysSupport)
        }
        if let macKeysCurves {
            writer.write(unsigned: 1)
            writer.beginArray(count: macKeysCurves.count)
            for curve in macKeysCurves { writer.write(integer: curve) }
        }
        for (key, value) in flags {
            guard let value else { continue }
            writer.write(unsigned: key)
            writer.write(bool: value)
        }
    }
}
