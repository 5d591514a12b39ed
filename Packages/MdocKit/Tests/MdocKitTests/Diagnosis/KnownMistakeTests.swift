import CBORKit
import COSEKit
import CryptoCore
import MdocKit
import MdocProximity
import MdocResults
import Testing

/// Responses made with the mistakes that are known from the field are recognized.
@Suite struct KnownMistakeTests {
    private static func openID4VP(
        clientID: String = "x509_san_dns:reader.example",
        thumbprint: CBOR = .bytes(DiagnosedSession.thumbprint),
        uri: String = "https://reader.example/response"
    ) throws -> SessionTranscript {
        let info: CBOR = [.text(clientID), "nonce", thumbprint, .text(uri)]
        return try DiagnosedSession.transcript(DiagnosedSession.digest("OpenID4VPHandover", of: info))
    }

    private static func api(_ info: CBOR) throws -> SessionTranscript {
        try DiagnosedSession.transcript(DiagnosedSession.digest("OpenID4VPDCAPIHandover", of: info))
    }

    private static func draft23(nonce: String) -> SessionTranscript {
        SessionTranscript(
            handover: .openID4VPDraft23(
                clientID: "x509_san_dns:reader.example",
                responseURI: "https://reader.example/response",
                nonce: "nonce",
                mdocGeneratedNonce: nonce
            )
        )
    }

    private static let tagged = DiagnosedSession.tagged
    private static let thumbprint = CBOR.bytes(DiagnosedSession.thumbprint)

    static let transcripts: [KnownTranscriptTests.Known] = [
        .init(.qr, .engagementTaggedTwice) { _ in
            DiagnosedSession.proximity(engagement: tagged(tagged(DiagnosedSession.engagement)))
        },
        .init(.qr, .engagementUntagged) { _ in DiagnosedSession.proximity(engagement: DiagnosedSession.engagement) },
        .init(.qr, .engagementReencoded) { _ in
            let members: CBOR = [0: "1.1", 1: [1, .tagged(24, .bytes([]))], 5: []]
            return DiagnosedSession.proximity(engagement: tagged(members.encoded()))
        },
        .init(.nfcStatic, .engagementReencoded) { _ in
            let members: CBOR = [0: "1.1", 1: [1, .tagged(24, .bytes([]))]]
            return DiagnosedSession.proximity(
                engagement: tagged(members.encoded()),
                .nfc(select: DiagnosedSession.select)
            )
        },
        .init(.qr, .readerKeyTaggedTwice) { _ in
            DiagnosedSession.proximity(readerKey: tagged(tagged(DiagnosedSession.readerKey)))
        },
        .init(.qr, .readerKeyUntagged) { _ in DiagnosedSession.proximity(readerKey: DiagnosedSession.readerKey) },
        .init(.qr, .engagementTaggedTwice, .readerKeyTaggedTwice) { _ in
            DiagnosedSession.proximity(
                engagement: tagged(tagged(DiagnosedSession.engagement)),
                readerKey: tagged(tagged(DiagnosedSession.readerKey))
            )
        },
        .init(.nfcNegotiated, .nfcMessagesSwapped) { _ in
            DiagnosedSession.proximity(.nfc(select: DiagnosedSession.request, request: DiagnosedSession.select))
        },
        .init(.website, .readerEngagementUntagged) { _ in
            DiagnosedSession.proximity(.website(readerEngagementBytes: DiagnosedSession.readerEngagement))
        },
        .init(.openID4VP, .clientIDWithoutPrefix) { _ in try openID4VP(clientID: "reader.example") },
        .init(.openID4VP, .clientID(prefix: "x509_hash:")) { _ in try openID4VP(clientID: "x509_hash:reader.example") },
        .init(.openID4VP, .withoutThumbprint) { _ in try openID4VP(thumbprint: .null) },
        .init(.openID4VP, .thumbprintAsText) { _ in
            try openID4VP(thumbprint: "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc")
        },
        .init(.openID4VP, .redirectURI) { _ in try openID4VP(uri: "https://reader.example/redirect") },
        .init(.openID4VP, .responseURITrailingSlash) { _ in try openID4VP(uri: "https://reader.example/response/") },
        .init(.openID4VP, .clientIDWithoutPrefix, .withoutThumbprint) { _ in
            try openID4VP(clientID: "reader.example", thumbprint: .null)
        },
        .init(.openID4VP, .handoverInfoTagged) { _ in
            let info: CBOR = [
                "x509_san_dns:reader.example", "nonce", thumbprint, "https://reader.example/response",
            ]
            let embedded = CBOR.tagged(24, .bytes(info.encoded()))
            return try DiagnosedSession.transcript(DiagnosedSession.digest("OpenID4VPHandover", of: embedded))
        },
        .init(.openID4VPDigitalCredentialsAPI, .originTrailingSlash) { _ in
            try api(["https://reader.example/", "nonce", thumbprint])
        },
        .init(.openID4VPDigitalCredentialsAPI, .origin(prefix: "origin:")) { _ in
            try api(["origin:https://reader.example", "nonce", thumbprint])
        },
        .init(.openID4VPDigitalCredentialsAPI, .originTrailingSlash, .withoutThumbprint) { _ in
            try api(["https://reader.example/", "nonce", .null])
        },
        .init(.openID4VPDraft24DigitalCredentialsAPI, .clientID(prefix: "web-origin:")) { _ in
            try api(["https://reader.example", "web-origin:https://reader.example", "nonce"])
        },
        .init(.openID4VPDraft24DigitalCredentialsAPI, .clientIDAndNonceSwapped) { _ in
            try api(["https://reader.example", "nonce", "x509_san_dns:reader.example"])
        },
        .init(.digitalCredentialsAPI, .encryptionInfoPadded) { _ in
            try DiagnosedSession.transcript(
                DiagnosedSession.digest("dcapi", of: ["gmVkY2FwaaA=", "https://reader.example"])
            )
        },
        .init(.digitalCredentialsAPI, .encryptionInfoAsBytes) { _ in
            let bytes: [UInt8] = [0x82, 0x65, 0x64, 0x63, 0x61, 0x70, 0x69, 0xa0]
            return try DiagnosedSession.transcript(
                DiagnosedSession.digest("dcapi", of: [.bytes(bytes), "https://reader.example"])
            )
        },
        .init(.openID4VPDraft23, .generatedNonceEncoded) { _ in draft23(nonce: "WjJWdVpYSmhkR1Zr") },
        .init(.openID4VPDraft23, .generatedNonceDecoded) { _ in draft23(nonce: "generated") },
    ]

    @Test(arguments: transcripts)
    func mistakesInTheTranscript(_ known: KnownTranscriptTests.Known) async throws {
        let session = try await DiagnosedSession()
        let transcript = try known.transcript(session)
        let fit = try #require(await session.diagnosis(of: session.document(over: transcript)).fit)
        #expect(fit.form == known.form)
        #expect(fit.variations == known.variations)
        #expect(fit.sessionTranscript.encodedBytes == transcript.encodedBytes)
    }

    /// Values that the reader noted wrongly, with a correct wallet.
    @Test func mistakesOfTheReader() async throws {
        let session = try await DiagnosedSession()
        func fit(
            _ transcript: SessionTranscript,
            _ change: (inout SessionKnowledge) -> Void
        ) async throws -> DeviceAuthenticationAttempt? {
            var knowledge = session.knowledge
            change(&knowledge)
            let document = try await session.document(over: transcript)
            return await DeviceAuthenticationDiagnosis(of: document, knowing: knowledge).fit
        }
        let prefixed = try await fit(Self.openID4VP()) { $0.clientID = "reader.example" }
        #expect(prefixed?.variations == [.clientID(prefix: "x509_san_dns:")])
        let slash = try await fit(Self.api(["https://reader.example", "nonce", Self.thumbprint])) {
            $0.origin = "https://reader.example/"
        }
        #expect(slash?.variations == [.originTrailingSlash])
        let redirect = try await fit(Self.openID4VP(uri: "https://reader.example/redirect")) { $0.responseURI = nil }
        #expect(redirect?.form == .openID4VP && redirect?.variations == [])
        let unsigned = try await fit(
            Self.api(["https://reader.example", "web-origin:https://reader.example", "nonce"])
        ) { $0.clientID = nil }
        #expect(unsigned?.variations == [])
        let bare = try await fit(DiagnosedSession.proximity()) {
            $0.deviceEngagementBytes = DiagnosedSession.engagement
            $0.eReaderKeyBytes = DiagnosedSession.readerKey
        }
        #expect(bare?.form == .qr && bare?.variations == [])
        let twice = try await fit(DiagnosedSession.proximity()) {
            $0.deviceEngagementBytes = Self.tagged(Self.tagged(DiagnosedSession.engagement))
        }
        #expect(twice?.variations == [.engagementUntagged])
        let plain = try await fit(Self.openID4VP(thumbprint: .null)) { $0.jwkThumbprints = [] }
        #expect(plain?.variations == [])
    }

    @Test func knowledgeThatIsNoCBOR() async throws {
        let session = try await DiagnosedSession()
        var knowledge = session.knowledge
        knowledge.deviceEngagementBytes = [0xff]
        knowledge.eReaderKeyBytes = []
        knowledge.readerEngagementBytes = [0x1c]
        knowledge.encryptionParametersBytes = [0xd8, 0x18]
        knowledge.encryptionInfo = "!"
        knowledge.mdocGeneratedNonce = ""
        knowledge.recipient = try PrivateKey.generate(.x25519).publicKey
        let document = try await session.document(over: DiagnosedSession.proximity())
        let diagnosis = await DeviceAuthenticationDiagnosis(of: document, knowing: knowledge)
        #expect(diagnosis.fit == nil)
        #expect(!diagnosis.attempts.isEmpty && !diagnosis.description.isEmpty)
        #expect(!diagnosis.attempts.map(\.form).contains(.appleWallet))
    }

    // MARK: Device authentication

    /// The document of a wallet that authenticates something of its own, with the credential's key by default.
    private func document(
        _ session: DiagnosedSession,
        docType: DocType = .mDL,
        salt: [UInt8]? = nil,
        by deviceKey: PrivateKey? = nil,
        over payload: (SessionTranscript, [UInt8]) -> [UInt8]
    ) async throws -> MdocDocument {
        let transcript = DiagnosedSession.proximity()
        let nameSpaces: [UInt8] = [0xd8, 0x18, 0x41, 0xa0]
        let deviceKey = deviceKey ?? session.utopia.deviceKey
        let bytes = payload(transcript, nameSpaces)
        let member: (name: CBOR, value: [UInt8])
        if let salt {
            let secret = try deviceKey.sharedSecret(with: session.utopia.ephemeralReaderKey.publicKey)
            let key = try HKDF.deriveKey(
                hash: .sha256,
                inputKeyMaterial: secret,
                salt: salt,
                info: Array("EMacKey".utf8),
                length: 32
            )
            let headers = COSEHeaders(protected: [.alg: .integer(COSEAlgorithm.hmac256_256.rawValue)])
            let mac = try COSEMac0.authenticate(bytes, detached: true, headers: headers, with: key)
            member = ("deviceMac", mac.encoded(tagged: false))
        } else {
            let headers = COSEHeaders(protected: [.alg: .integer(COSEAlgorithm.es256.rawValue)])
            let signature = try await COSESign1.sign(
                bytes,
                detached: true,
                headers: headers,
                with: SoftwareSigner(deviceKey)
            )
            member = ("deviceSignature", signature.encoded(tagged: false))
        }
        let response = try await session.utopia.presentation { document in
            document.set("docType", .text(docType.text))
            try document.change("deviceSigned") {
                $0.set("deviceAuth", .map([member.name: try CBOR(decoding: member.value)]))
            }
        }
        return try #require(response.documents.first)
    }

    private func authentication(
        _ transcript: [UInt8],
        _ docType: CBOR,
        _ nameSpaces: [UInt8]
    ) throws -> [UInt8] {
        try CBOR.array([
            "DeviceAuthentication", CBOR(decoding: transcript), docType, CBOR(decoding: nameSpaces),
        ]).encoded()
    }

    @Test func mistakesInDeviceAuthentication() async throws {
        let session = try await DiagnosedSession()
        let docType: CBOR = "org.iso.18013.5.1.mDL"
        func expect(_ variation: SessionVariation, _ document: MdocDocument) async {
            let fit = await session.diagnosis(of: document).fit
            #expect(fit?.variations == [variation])
            #expect(fit?.form == .qr)
        }
        let content = try authentication(DiagnosedSession.proximity().encodedBytes, docType, [0xd8, 0x18, 0x41, 0xa0])
        await expect(.authenticationUntagged, try await document(session) { _, _ in content })
        await expect(
            .authenticationAsByteString,
            try await document(session) { _, _ in CBOR.bytes(content).encoded() }
        )
        let tagged = try authentication(DiagnosedSession.proximity().taggedBytes, docType, [0xd8, 0x18, 0x41, 0xa0])
        await expect(.transcriptTagged, try await document(session) { _, _ in DiagnosedSession.tagged(tagged) })
        let bare = try authentication(DiagnosedSession.proximity().encodedBytes, docType, [0xa0])
        await expect(.nameSpacesUntagged, try await document(session) { _, _ in DiagnosedSession.tagged(bare) })
        await expect(
            .issuersDocType,
            try await document(session, docType: "org.example") { _, _ in DiagnosedSession.tagged(content) }
        )
    }

    @Test func theKeyOfTheEngagement() async throws {
        let session = try await DiagnosedSession()
        for curve: EllipticCurve in [.p256, .p384] {
            let key = try PrivateKey.generate(curve)
            let engagement = try DeviceEngagement(eDeviceKey: key.publicKey, retrievalMethods: []).taggedBytes
            var knowledge = session.knowledge
            knowledge.deviceEngagementBytes = engagement
            let transcript = DiagnosedSession.proximity(engagement: engagement)
            func payload(_ other: SessionTranscript, _ nameSpaces: [UInt8]) -> [UInt8] {
                DeviceAuthentication(
                    sessionTranscript: transcript,
                    docType: .mDL,
                    deviceNameSpacesBytes: nameSpaces
                ).taggedBytes
            }
            let salt = HashAlgorithm.sha256.digest(of: transcript.taggedBytes)
            var documents = [try await document(session, by: curve == .p256 ? key : nil, over: payload)]
            if curve == .p256 { documents.append(try await document(session, salt: salt, by: key, over: payload)) }
            for document in documents {
                let diagnosis = await DeviceAuthenticationDiagnosis(
                    of: document,
                    knowing: knowledge,
                    readerKeys: [session.utopia.ephemeralReaderKey]
                )
                #expect(diagnosis.fit?.form == .qr)
                #expect(diagnosis.fit?.variations == (curve == .p256 ? [.engagementsKey] : []))
            }
        }
    }

    @Test func mistakesInTheSaltOfAMAC() async throws {
        let session = try await DiagnosedSession()
        let transcript = DiagnosedSession.proximity()
        let salts: [(SessionVariation, [UInt8])] = [
            (.saltOverBareTranscript, HashAlgorithm.sha256.digest(of: transcript.encodedBytes)),
            (.saltNotHashed, transcript.taggedBytes),
        ]
        for (variation, salt) in salts {
            let document = try await document(session, salt: salt) { transcript, nameSpaces in
                DeviceAuthentication(
                    sessionTranscript: transcript,
                    docType: .mDL,
                    deviceNameSpacesBytes: nameSpaces
                ).taggedBytes
            }
            let fit = await session.diagnosis(of: document).fit
            #expect(fit?.variations == [variation])
        }
    }
}
