import CBORKit
public import MdocKit

/// One way in which a wallet may have made a device signature or MAC, see ``DeviceAuthenticationDiagnosis``.
public struct DeviceAuthenticationAttempt: Sendable {
    /// The flow whose transcript was tried.
    public let form: SessionForm
    /// The variations from the standards and the given values; empty for the flow as it should be.
    public let variations: [SessionVariation]
    /// The transcript.
    public let sessionTranscript: SessionTranscript
    /// The bytes assumed to be signed or authenticated: DeviceAuthenticationBytes, or a variation of it.
    public let deviceAuthenticationBytes: [UInt8]
}

extension DeviceAuthenticationAttempt: CustomStringConvertible {
    /// Flow and variations, then both structures in hexadecimal and in diagnostic notation.
    public var description: String {
        let title = ([form.description] + variations.map(\.description)).joined(separator: "; ")
        return """
            \(title)
            SessionTranscript: \(sessionTranscript.encodedBytes.hexadecimal)
            \(Self.notation(sessionTranscript.encodedBytes))
            DeviceAuthenticationBytes: \(deviceAuthenticationBytes.hexadecimal)
            \(Self.notation(deviceAuthenticationBytes))
            """
    }

    private static func notation(_ bytes: [UInt8]) -> String {
        guard let document = try? CBORDocument(bytes) else { return "not CBOR" }
        return document.root.diagnosticNotation(.readable)
    }
}
