import MdocKit

extension NFCOptions {
    private static let carrierVersion: UInt8 = 1
    private static let commandDataType: UInt8 = 1
    private static let responseDataType: UInt8 = 2

    /// Returns `true` for a payload of the known version, and for an empty one, which ``options(inCarrier:)`` refuses.
    static func isKnownVersion(_ payload: [UInt8]) -> Bool {
        payload.first.map { $0 == carrierVersion } ?? true
    }

    /// Reads the payload of the carrier configuration record for NFC (ISO/IEC 18013-5, 9.2.2, Table 1).
    ///
    /// - Returns: The lengths; nil if there are none, as from a reader.
    static func options(inCarrier payload: [UInt8]) throws(MdocError) -> NFCOptions? {
        var reader = ByteReader(payload, of: "an NFC carrier", refusing: .malformedHandover)
        let version = try reader.byte("version")
        guard version == carrierVersion else {
            throw MdocError(.unsupportedVersion, "version \(version) of NFC carriers is not supported")
        }
        var lengths: [UInt8: Int] = [:]
        while reader.count > 0 {
            var field = ByteReader(
                try reader.counted("field"),
                of: "an NFC carrier's field",
                refusing: .malformedHandover
            )
            let type = try field.byte("type")
            guard [commandDataType, responseDataType].contains(type) else { continue }
            guard lengths[type] == nil, (1...4).contains(field.count) else {
                throw MdocError(.malformedHandover, "an NFC carrier with a length twice, or not of 1 to 4 bytes")
            }
            lengths[type] = try field.integer(field.count, "length")
        }
        guard !lengths.isEmpty else { return nil }
        guard let command = lengths[commandDataType], let response = lengths[responseDataType],
            let options = NFCOptions(maximumCommandData: command, maximumResponseData: response)
        else { throw MdocError(.malformedHandover, "an NFC carrier without both lengths in their ranges") }
        return options
    }

    /// The payload of the carrier configuration record: the version alone where there are no options.
    static func carrierPayload(_ options: NFCOptions?) -> [UInt8] {
        guard let options else { return [carrierVersion] }
        return [carrierVersion] + field(commandDataType, options.maximumCommandData)
            + field(responseDataType, options.maximumResponseData)
    }

    private static func field(_ type: UInt8, _ length: Int) -> [UInt8] {
        let number = (length > 0xffff ? [16, 8, 0] : [8, 0]).map { UInt8(truncatingIfNeeded: length >> $0) }
        return [UInt8(number.count + 1), type] + number
    }
}
