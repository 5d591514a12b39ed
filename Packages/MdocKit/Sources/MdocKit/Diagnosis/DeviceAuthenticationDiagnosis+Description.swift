import CBORKit

extension DeviceAuthenticationDiagnosis: CustomStringConvertible {
    /// The finding with the bytes that it is about, on several lines.
    ///
    /// Where nothing fits, the bytes are those of the flows as the standards have them, to be compared with a wallet's.
    public var description: String {
        switch finding {
        case .fits(let attempt): "Device authentication fits \(attempt)"
        case .cannotBeChecked(let reason): "Device authentication cannot be checked: \(reason)"
        case .nothingFits:
            (["Device authentication fits none of \(attempts.count) transcripts; those without variations are:"]
                + attempts.filter(\.variations.isEmpty).map(\.description)).joined(separator: "\n")
        }
    }
}

extension DeviceAuthenticationDiagnosis.Attempt: CustomStringConvertible {
    /// Flow and variations, then both structures in hexadecimal and in diagnostic notation.
    public var description: String {
        let title = ([form.description] + variations.map(\.description)).joined(separator: "; ")
        return """
            \(title)
            SessionTranscript: \(Self.hex(sessionTranscript.encodedBytes))
            \(Self.notation(sessionTranscript.encodedBytes))
            DeviceAuthenticationBytes: \(Self.hex(deviceAuthenticationBytes))
            \(Self.notation(deviceAuthenticationBytes))
            """
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func notation(_ bytes: [UInt8]) -> String {
        guard let document = try? CBORDocument(bytes) else { return "not CBOR" }
        return document.root.diagnosticNotation(.readable)
    }
}
