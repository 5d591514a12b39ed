import CBORKit
import CryptoCore
import JSONKit
import MdocKit
import MdocResults
import Testing

/// Deviations of what a response comes in: refused, or tolerated by name and reported with those of the response.
@Suite struct EnvelopeDeviationTests {
    private let utopia: Utopia
    private let key: PrivateKey

    init() async throws {
        utopia = try await Utopia()
        key = try PrivateKey.generate(.p256)
    }

    /// A response with a tagged signature, bound to a transcript.
    private func response(in transcript: SessionTranscript) async throws -> [UInt8] {
        let prepared = try PreparedMdocDocument(try await utopia.licence(), sessionTranscript: transcript)
        let usual = try DeviceResponse(documents: [await prepared.signed(with: SoftwareSigner(utopia.deviceKey))])
        var message = try CBOR(decoding: [UInt8](usual.encodedBytes))
        message.change("documents") {
            $0.change(0) { $0.change("issuerSigned") { $0.change("issuerAuth") { $0 = .tagged(18, $0) } } }
        }
        return message.encoded()
    }

    private func refusal(_ read: () async throws(MdocError) -> Void) async -> String? {
        do throws(MdocError) {
            try await read()
            return nil
        } catch {
            return error.message
        }
    }

    @Test func responsesThroughTheBrowser() async throws {
        let origin = "https://reader.example"
        let info = try MdocDigitalCredentialsEncryptionInfo(recipientKey: key.publicKey)
        let transcript = info.sessionTranscript(origin: origin)
        let answer = try DeviceResponse(decoding: await response(in: transcript), options: .deployed)
        let sent = try MdocDigitalCredentialsResponse(
            encrypting: answer,
            for: info,
            origin: origin
        )
        let envelope = try JSONBase64.base64url.decode(#require(sent.json["response"]?.stringValue))
        let json: JSONValue = [
            "response": .string(JSONBase64.base64url.encode([0x9f] + envelope.dropFirst() + [0xff]))
        ]
        #expect(
            await refusal { () async throws(MdocError) in _ = try MdocDigitalCredentialsResponse(json: json) }
                == "not tolerated: indefiniteLength"
        )
        let received = try MdocDigitalCredentialsResponse(json: json, options: .deployed)
        #expect(received.deviations.map(\.description) == ["indefiniteLength"])
        let read = try await received.decrypted(
            with: key,
            encryptionInfo: info,
            origin: origin,
            options: .deployed
        )
        let verification = await utopia.verifier().verify(read, sessionTranscript: transcript)
        #expect(verification.verified != nil, "\(verification.checks)")
        #expect(
            verification.deviations.map(\.description) == [
                "indefiniteLength in envelope", "taggedCOSE in documents[0].issuerSigned.issuerAuth",
            ]
        )
    }

    @Test func requestsThroughTheBrowser() throws {
        let text = try MdocDigitalCredentialsEncryptionInfo(recipientKey: key.publicKey).text
        let content = try JSONBase64.base64url.decode(text)
        let tolerable = JSONBase64.base64url.encode([0x9f] + content.dropFirst() + [0xff])
        let error = #expect(throws: MdocError.self) { try MdocDigitalCredentialsEncryptionInfo(text: tolerable) }
        #expect(error?.message == "not tolerated: indefiniteLength")
        let info = try MdocDigitalCredentialsEncryptionInfo(text: tolerable, options: .deployed)
        #expect(info.deviations.map(\.description) == ["indefiniteLength"])
        #expect(info.text == tolerable)
    }

    @Test func responsesOfAppleWallet() async throws {
        let handover = try Handover.appleWallet(nonce: [1], merchantID: "m", teamID: "t", recipient: key.publicKey)
        let transcript = SessionTranscript(handover: handover)
        let plaintext: CBOR = ["identity": try CBOR(decoding: await response(in: transcript))]
        let sealed = try HPKE.seal(
            plaintext.encoded(),
            to: key.publicKey,
            suite: .p256SHA256AES128GCM,
            info: transcript.encodedBytes
        )
        let point = try #require(key.publicKey.x963Representation)
        let envelope: CBOR = [
            "algorithm": "APPLE-HPKE-v1",
            "params": [
                "mode": 0, "pkEm": .bytes(sealed.encapsulatedKey),
                "pkRHash": .bytes(HashAlgorithm.sha256.digest(of: point)),
            ],
            "data": .bytes(sealed.ciphertext),
        ]
        let bytes = [0xbf] + envelope.encoded().dropFirst() + [0xff]
        #expect(
            await refusal { () async throws(MdocError) in _ = try AppleWalletEnvelope(decoding: bytes) }
                == "not tolerated: indefiniteLength"
        )
        let received = try AppleWalletEnvelope(decoding: bytes, options: .deployed)
        let read = try await received.decrypted(with: key, sessionTranscript: transcript, options: .deployed)
        let verification = await utopia.verifier().verify(read, sessionTranscript: transcript)
        #expect(verification.verified != nil, "\(verification.checks)")
        #expect(
            verification.deviations.map(\.description) == [
                "indefiniteLength in envelope", "taggedCOSE in identity.documents[0].issuerSigned.issuerAuth",
            ]
        )
        let strict = try await received.decrypted(with: key, sessionTranscript: transcript)
        #expect(strict.unreadableDocuments.first?.error.message == "not tolerated: taggedCOSE")
    }

    @Test func encryptedDocuments() async throws {
        let parameters = try EncryptionParameters(recipientKey: key.publicKey)
        let transcript = utopia.transcript.encrypting(to: parameters)
        let message = try CBOR(decoding: await response(in: transcript))
        let content: CBOR = ["documents": try #require(message["documents"])]
        let sealed = try HPKE.seal(
            [0xbf] + content.encoded().dropFirst() + [0xff],
            to: key.publicKey,
            suite: .p256SHA256AES128GCM,
            info: transcript.encodedBytes
        )
        let outer: CBOR = [
            "version": "1.0", "status": 0,
            "encryptedDocuments": [
                ["enc": .bytes(sealed.encapsulatedKey), "cipherText": .bytes(sealed.ciphertext), "docRequestID": 0]
            ],
        ]
        let encrypted = try #require(try DeviceResponse(decoding: outer.encoded()).encryptedDocuments.first)
        #expect(
            await refusal { () async throws(MdocError) in
                _ = try await encrypted.decrypted(
                    with: key,
                    parameters: parameters,
                    sessionTranscript: utopia.transcript
                )
            } == "not tolerated: indefiniteLength"
        )
        let decrypted = try await encrypted.decrypted(
            with: key,
            parameters: parameters,
            sessionTranscript: utopia.transcript,
            options: .deployed
        )
        let verification = await utopia.verifier().verify(
            decrypted.response,
            sessionTranscript: decrypted.sessionTranscript
        )
        #expect(verification.verified != nil, "\(verification.checks)")
        #expect(
            verification.deviations.map(\.description) == [
                "indefiniteLength", "taggedCOSE in documents[0].issuerSigned.issuerAuth",
            ]
        )
    }

    @Test func parametersOfTheRecipient() throws {
        let content = try CBOR(decoding: EncryptionParameters(recipientKey: key.publicKey).taggedBytes).embedded
            .encoded()
        let tagged = CBOR.tagged(24, .bytes([0xbf] + content.dropFirst() + [0xff])).encoded()
        let error = #expect(throws: MdocError.self) { try EncryptionParameters(taggedBytes: tagged) }
        #expect(error?.message == "not tolerated: indefiniteLength")
        let read = try EncryptionParameters(taggedBytes: tagged, options: .deployed)
        #expect(read.deviations.map(\.tolerance) == [.indefiniteLength])
        #expect(read.taggedBytes == tagged)
    }

    /// A relying party's one call.
    @Test func resultsOfARelyingParty() async throws {
        let bytes = try await response(in: utopia.transcript)
        let request = try SessionFixture.request()
        let strict = await utopia.verifier().result(of: bytes, to: request, sessionTranscript: utopia.transcript)
        let refused = try #require(strict.mobileCredentialResponse)
        #expect(refused.verifiedCredentials.isEmpty && refused.deviations.isEmpty)

        let tolerant = await utopia.verifier().result(
            of: bytes,
            to: request,
            sessionTranscript: utopia.transcript,
            options: .deployed
        )
        let taken = try #require(tolerant.mobileCredentialResponse)
        #expect(taken.verifiedCredentials.count == 1)
        #expect(taken.deviations.map(\.description) == ["taggedCOSE in documents[0].issuerSigned.issuerAuth"])
        let json = try StrictJSONEncoder().encodeValue(tolerant)
        #expect(
            json["mobileCredentialResponse"]?["deviations"] == [
                ["tolerance": "taggedCOSE", "path": ["documents[0]", "issuerSigned", "issuerAuth"]]
            ]
        )
        #expect(try StrictJSONDecoder().decode(OnlinePresentationSessionResult.self, from: json.encoded()) == tolerant)
    }
}
