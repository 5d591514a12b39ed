import CBORKit
import COSEKit
import CryptoCore
import Foundation
import MdocKit
import TestSupport
import Testing

extension MdocVectorChecks {
    /// DeviceAuth with a MAC, which stands in one of the responses.
    static func deviceAuth(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        let text = try vector.text("hex")
        #expect(context.responses.contains { $0.response.encodedBytes.hex.contains(text) }, "\(vector.id)")
    }

    /// The steps of a device MAC.
    static func deviceMac(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        let secret = SecretBytes(try vector.bytes("eMacKeyZab"))
        let secrets = context.privateKeys.flatMap { own in
            context.privateKeys.compactMap { try? own.sharedSecret(with: $0.publicKey) }
        }
        #expect(secrets.contains(secret), "\(vector.id): the shared secret is of no known keys")
        let expected = try vector.bytes("deviceAuthenticationBytes")
        let tag = try vector.bytes("macTag")
        var found = 0
        for document in context.responses.flatMap(\.response.documents) {
            for transcript in context.transcripts {
                guard case .deviceMac(let mac) = document.deviceSigned.deviceAuth, [UInt8](mac.tag) == tag,
                    authentication(document, transcript).taggedBytes == expected
                else { continue }
                found += 1
                #expect(try mac.toBeMaced(detachedPayload: expected) == vector.bytes("macStructure"), "\(vector.id)")
                let rebuilt = try PreparedMdocDocument(document.issuerSigned, sessionTranscript: transcript)
                    .authenticated(with: secret)
                #expect(rebuilt.encodedBytes == document.encodedBytes, "\(vector.id)")
                let key = try HKDF.deriveKey(
                    hash: .sha256,
                    inputKeyMaterial: secret,
                    salt: HashAlgorithm.sha256.digest(of: transcript.taggedBytes),
                    info: Array("EMacKey".utf8),
                    length: 32
                )
                #expect(try key == SecretBytes(vector.bytes("eMacKey")), "\(vector.id)")
            }
        }
        #expect(found > 0, "\(vector.id): no response of the set has this MAC")
    }

    private static func authentication(
        _ document: MdocDocument,
        _ transcript: SessionTranscript
    ) -> DeviceAuthentication {
        DeviceAuthentication(
            sessionTranscript: transcript,
            docType: document.docType,
            deviceNameSpacesBytes: document.deviceSigned.nameSpacesBytes
        )
    }

    /// ReaderAuth with its certificate, which stands in one of the requests.
    static func readerAuth(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        let readerAuth = try COSESign1(decoding: vector.bytes("hex"))
        #expect(try readerAuth.headers.x5chain() == [vector.bytes("readerCertificate")[...]], "\(vector.id)")
        let text = try vector.text("hex")
        #expect(context.requests.contains { $0.request.encodedBytes.hex.contains(text) }, "\(vector.id)")
    }

    /// The structures that a reader's signature covers.
    static func readerAuthentication(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        let expected = try vector.bytes("readerAuthenticationBytes")
        var found = 0
        for docRequest in context.requests.flatMap(\.request.docRequests) {
            for transcript in context.transcripts {
                let authentication = ReaderAuthentication(
                    sessionTranscript: transcript,
                    itemsRequest: docRequest.itemsRequest
                )
                guard authentication.taggedBytes == expected, let readerAuth = docRequest.readerAuth else { continue }
                found += 1
                let signed = try readerAuth.toBeSigned(detachedPayload: authentication.taggedBytes)
                #expect(try signed == vector.bytes("sigStructure"), "\(vector.id)")
            }
        }
        #expect(found > 0, "\(vector.id): no request of the set has this signature")
    }

    /// The parameters of a request of OpenID4VP, which lead to one of the known transcripts.
    static func requestParameters(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        let nonces = context.vectors.compactMap { $0["mdocGeneratedNonce"]?.string }
        let handovers = try nonces.map { nonce in
            Handover.openID4VPDraft23(
                clientID: try vector.text("client_id"),
                responseURI: try vector.text("response_uri"),
                nonce: try vector.text("nonce"),
                mdocGeneratedNonce: nonce
            )
        }
        #expect(context.transcripts.contains { handovers.contains($0.handover) }, "\(vector.id)")
    }

    /// A handover of the drafts of OpenID4VP, and the device authentication that goes with it.
    static func draftHandover(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        let handovers = try context.vectors.filter { $0.has("client_id", "response_uri", "nonce") }.map { request in
            Handover.openID4VPDraft23(
                clientID: try request.text("client_id"),
                responseURI: try request.text("response_uri"),
                nonce: try request.text("nonce"),
                mdocGeneratedNonce: try vector.text("mdocGeneratedNonce")
            )
        }
        let expected = try vector.bytes("handover")
        let handover = try #require(handovers.first { $0.encodedBytes == expected }, "\(vector.id)")
        let transcript = SessionTranscript(handover: handover)
        #expect(try transcript.encodedBytes == vector.bytes("sessionTranscript"), "\(vector.id)")
        let deviceAuthentication = try vector.bytes("deviceAuthenticationBytes")
        let documents = context.responses.flatMap(\.response.documents)
        #expect(
            documents.contains { authentication($0, transcript).taggedBytes == deviceAuthentication },
            "\(vector.id)"
        )
    }

    /// A handover of OpenID4VP 1.0, by redirect or over the Digital Credentials API.
    static func handover(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        let jwk = try #require(vector["responseEncryptionJwk"])
        let members = try ["crv", "kty", "x", "y"].map { name in "\"\(name)\":\"\(try #require(jwk[name]?.string))\"" }
        let thumbprint = HashAlgorithm.sha256.digest(of: Array("{\(members.joined(separator: ","))}".utf8))
        #expect(try thumbprint == vector.bytes("jwkThumbprint"), "\(vector.id)")
        let handover: Handover
        if let origin = vector["origin"]?.string {
            handover = .openID4VPDigitalCredentialsAPI(
                origin: origin,
                nonce: try vector.text("nonce"),
                jwkThumbprint: thumbprint
            )
        } else {
            handover = .openID4VP(
                clientID: try vector.text("clientId"),
                nonce: try vector.text("nonce"),
                jwkThumbprint: thumbprint,
                responseURI: try vector.text("responseUri")
            )
        }
        #expect(try handover.encodedBytes == vector.bytes("handover"), "\(vector.id)")
        let digest = HashAlgorithm.sha256.digest(of: try vector.bytes("handoverInfo"))
        #expect(handover.encodedBytes.suffix(32).elementsEqual(digest), "\(vector.id)")
        let transcript = SessionTranscript(handover: handover)
        #expect(try transcript.encodedBytes == vector.bytes("sessionTranscript"), "\(vector.id)")
    }
}
