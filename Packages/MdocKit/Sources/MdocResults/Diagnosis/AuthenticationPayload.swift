import CBORKit
import CryptoCore
import MdocKit

/// Something that a device may have signed, or authenticated with a key of a salt.
struct AuthenticationPayload {
    /// The keys of a device.
    enum Key {
        /// That of the credential, which is right.
        case credential
        /// The ephemeral one of the engagement, which is not.
        case engagement
    }

    let attempt: DeviceAuthenticationAttempt
    /// The salt of the MAC key.
    let salt: [UInt8]
    /// The key of the device.
    var key = Key.credential

    /// Everything that a device may have authenticated, what is right first.
    ///
    /// Mistakes in the structure itself are looked for only where the transcript is as the standards have it.
    ///
    /// - Parameters:
    ///   - isMAC: Indicates that what was received is a MAC, for which the salt may be wrong.
    ///   - hasEngagementsKey: Indicates that the ephemeral key of the engagement is known.
    static func all(
        for candidates: [TranscriptCandidate],
        of document: MdocDocument,
        isMAC: Bool,
        hasEngagementsKey: Bool
    ) -> [AuthenticationPayload] {
        let plain = candidates.map { AuthenticationPayload($0, document) }
        let right = candidates.filter(\.variations.isEmpty)
        let varied = right.flatMap { Self.structures($0, document) }
        let salted = isMAC ? right.flatMap { Self.salts($0, document) } : []
        let keyed = hasEngagementsKey ? right.map { Self.byEngagementsKey($0, document) } : []
        return plain + varied + salted + keyed
    }

    /// DeviceAuthenticationBytes as the standard has them.
    private init(_ candidate: TranscriptCandidate, _ document: MdocDocument) {
        let authentication = DeviceAuthentication(
            sessionTranscript: candidate.transcript,
            docType: document.docType,
            deviceNameSpacesBytes: document.deviceSigned.nameSpacesBytes
        )
        self.init(candidate, payload: authentication.taggedBytes)
    }

    private init(
        _ candidate: TranscriptCandidate,
        payload: [UInt8],
        salt: [UInt8]? = nil,
        _ variations: SessionVariation...
    ) {
        attempt = DeviceAuthenticationAttempt(
            form: candidate.form,
            variations: candidate.variations + variations,
            sessionTranscript: candidate.transcript,
            deviceAuthenticationBytes: payload
        )
        self.salt = salt ?? candidate.transcript.salt
    }

    /// Mistakes in what is authenticated.
    private static func structures(
        _ candidate: TranscriptCandidate,
        _ document: MdocDocument
    ) -> [AuthenticationPayload] {
        let transcript = candidate.transcript
        let nameSpaces = document.deviceSigned.nameSpacesBytes
        let content = DeviceAuthentication.content(transcript.encodedBytes, document.docType, nameSpaces)
        let tagged = CBORWriter.embedding(content)
        let taggedTranscript = DeviceAuthentication.content(transcript.taggedBytes, document.docType, nameSpaces)
        var payloads = [
            AuthenticationPayload(
                candidate,
                payload: CBORWriter.embedding(taggedTranscript),
                .transcriptTagged
            ),
            AuthenticationPayload(candidate, payload: content, .authenticationUntagged),
            AuthenticationPayload(candidate, payload: Array(tagged.dropFirst(2)), .authenticationAsByteString),
        ]
        if let bare = SessionKnowledge.content(of: [UInt8](nameSpaces)) {
            let untagged = DeviceAuthentication.content(transcript.encodedBytes, document.docType, bare)
            payloads.append(
                AuthenticationPayload(candidate, payload: CBORWriter.embedding(untagged), .nameSpacesUntagged)
            )
        }
        let issuers = document.issuerSigned.docType
        if issuers != document.docType {
            let other = DeviceAuthentication.content(transcript.encodedBytes, issuers, nameSpaces)
            payloads.append(AuthenticationPayload(candidate, payload: CBORWriter.embedding(other), .issuersDocType))
        }
        return payloads
    }

    /// The other key of the device.
    private static func byEngagementsKey(
        _ candidate: TranscriptCandidate,
        _ document: MdocDocument
    ) -> AuthenticationPayload {
        let bytes = AuthenticationPayload(candidate, document).attempt.deviceAuthenticationBytes
        var payload = AuthenticationPayload(candidate, payload: bytes, .engagementsKey)
        payload.key = .engagement
        return payload
    }

    /// Mistakes in the key of a MAC.
    private static func salts(_ candidate: TranscriptCandidate, _ document: MdocDocument) -> [AuthenticationPayload] {
        let transcript = candidate.transcript
        let payload = AuthenticationPayload(candidate, document).attempt.deviceAuthenticationBytes
        let bare = HashAlgorithm.sha256.digest(of: transcript.encodedBytes)
        return [
            AuthenticationPayload(candidate, payload: payload, salt: bare, .saltOverBareTranscript),
            AuthenticationPayload(candidate, payload: payload, salt: transcript.taggedBytes, .saltNotHashed),
        ]
    }
}
