import CBORKit

/// One way in which a wallet may have made a device signature or MAC, see ``DeviceAuthenticationDiagnosis``.
public struct DeviceAuthenticationAttempt: Sendable {
    /// The flow whose transcript was tried.
    public let form: SessionForm
    /// What is otherwise than the standards and the given values have it; empty for what is right in that flow.
    public let variations: [SessionVariation]
    /// The transcript.
    public let sessionTranscript: SessionTranscript
    /// What was taken to be signed or authenticated: DeviceAuthenticationBytes, but for a variation of it.
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
