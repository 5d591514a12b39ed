import ArgumentParser
import CommandSupport
import MdocKit
import MdocResults

/// The session that a presentation is bound to: its transcript, or the parts of a transcript of OpenID4VP 1.0.
struct TranscriptOptions: ParsableArguments {
    @Option(name: .long, help: "The SessionTranscript: CBOR.")
    var transcript: InputFile?

    @Option(name: .long, parsing: .unconditional, help: "OpenID4VP: the nonce of the request.")
    var nonce: String?

    @Option(name: .long, help: "OpenID4VP: the client identifier, with its prefix.")
    var clientID: String?

    @Option(name: .long, help: "OpenID4VP: the address that the response goes to.")
    var responseURI: String?

    @Option(name: .long, help: "Digital Credentials API: the origin of the verifier.")
    var origin: String?

    @Option(
        name: .long,
        help: "OpenID4VP: the SHA-256 thumbprint of the response encryption key, hex; none without encryption."
    )
    var jwkThumbprint: HexBytes?

    func validate() throws {
        let ways = [transcript != nil, clientID != nil || responseURI != nil, origin != nil].filter(\.self).count
        guard ways <= 1 else {
            throw ValidationError("--transcript, --client-id with --response-uri, and --origin exclude each other")
        }
    }

    /// Indicates that any of the options is there.
    var isGiven: Bool {
        transcript != nil || jwkThumbprint != nil
            || [nonce, clientID, responseURI, origin].contains { $0 != nil }
    }

    /// Everything that the options say about the session, to find out what a device signed instead.
    func knowledge(of transcript: SessionTranscript) -> SessionKnowledge {
        var knowledge = SessionKnowledge()
        knowledge.sessionTranscript = transcript
        knowledge.clientID = clientID
        knowledge.nonce = nonce
        knowledge.responseURI = responseURI
        knowledge.origin = origin
        knowledge.jwkThumbprints = jwkThumbprint.map { [$0.bytes] } ?? []
        return knowledge
    }

    /// The transcript, or nil if no option names one.
    func sessionTranscript() throws -> SessionTranscript? {
        if let transcript { return try transcript.sessionTranscript() }
        guard let nonce else { return nil }
        if let origin {
            return SessionTranscript(
                handover: .openID4VPDigitalCredentialsAPI(
                    origin: origin,
                    nonce: nonce,
                    jwkThumbprint: jwkThumbprint?.bytes
                )
            )
        }
        guard let clientID, let responseURI else {
            throw ToolError("--nonce needs --client-id and --response-uri, or --origin")
        }
        return SessionTranscript(
            handover: .openID4VP(
                clientID: clientID,
                nonce: nonce,
                jwkThumbprint: jwkThumbprint?.bytes,
                responseURI: responseURI
            )
        )
    }
}
