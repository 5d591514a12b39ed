import MdocKit

/// The reference to a carrier in a handover message: the record `ac` within `Hs` or `Hr`
/// (NFC Forum, Connection Handover 1.5).
struct AlternativeCarrier: Hashable {
    /// The power state of the carrier.
    let powerState: HandoverCarrier.PowerState
    /// The id of the record with the carrier's configuration.
    let reference: [UInt8]
    /// The ids of records with more about it.
    let auxiliaryReferences: [[UInt8]]
}

extension AlternativeCarrier {
    /// Reads the record; nil if it is of another type.
    init?(_ record: NDEFRecord) throws(MdocError) {
        guard record.isOf(.wellKnown, "ac") else { return nil }
        var reader = ByteReader(record.payload, of: "an alternative carrier", refusing: .malformedHandover)
        let bits = try reader.byte("power state") & 3
        powerState = HandoverCarrier.PowerState(rawValue: bits) ?? .unknown
        reference = try reader.counted("carrier reference")
        var auxiliary: [[UInt8]] = []
        for _ in 0..<(try reader.integer(1, "number of auxiliary references")) {
            auxiliary.append(try reader.counted("auxiliary reference"))
        }
        auxiliaryReferences = auxiliary
        // The rest is reserved for later versions.
    }

    /// The record; ids have at most 255 bytes since records have.
    func record() throws(MdocError) -> NDEFRecord {
        guard auxiliaryReferences.count <= 255 else {
            throw MdocError(.malformedHandover, "an alternative carrier has at most 255 auxiliary references")
        }
        var payload = [powerState.rawValue, UInt8(truncatingIfNeeded: reference.count)] + reference
        payload.append(UInt8(truncatingIfNeeded: auxiliaryReferences.count))
        for reference in auxiliaryReferences {
            payload.append(UInt8(truncatingIfNeeded: reference.count))
            payload += reference
        }
        return try NDEFRecord(.wellKnown, "ac", payload: payload)
    }
}
