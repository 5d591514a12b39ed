import CBORKit
import CryptoCore
import MdocKit
import MdocResults
import Testing

/// Responses made with each of the known transcripts are recognized.
@Suite struct KnownTranscriptTests {
    /// A transcript by the name of its flow.
    struct Known: Sendable, CustomTestStringConvertible {
        let form: SessionForm
        let variations: [SessionVariation]
        let transcript: @Sendable (DiagnosedSession) throws -> SessionTranscript

        init(
            _ form: SessionForm,
            _ variations: SessionVariation...,
            transcript: @escaping @Sendable (DiagnosedSession) throws -> SessionTranscript
        ) {
            self.form = form
            self.variations = variations
            self.transcript = transcript
        }

        var testDescription: String { ([form.description] + variations.map(\.description)).joined(separator: "; ") }
    }

    static let forms: [Known] = [
        Known(.qr) { _ in DiagnosedSession.proximity() },
        Known(.nfcStatic) { _ in DiagnosedSession.proximity(.nfc(select: DiagnosedSession.select)) },
        Known(.nfcNegotiated) { _ in
            DiagnosedSession.proximity(.nfc(select: DiagnosedSession.select, request: DiagnosedSession.request))
        },
        Known(.website) { _ in
            let engagement = DiagnosedSession.tagged(DiagnosedSession.readerEngagement)
            return DiagnosedSession.proximity(.website(readerEngagementBytes: engagement))
        },
        Known(.openID4VPDraft23) { _ in
            SessionTranscript(
                handover: .openID4VPDraft23(
                    clientID: "x509_san_dns:reader.example",
                    responseURI: "https://reader.example/response",
                    nonce: "nonce",
                    mdocGeneratedNonce: "Z2VuZXJhdGVk"
                )
            )
        },
        Known(.openID4VPUnhashed) { _ in
            try DiagnosedSession.transcript([
                "Z2VuZXJhdGVk", "x509_san_dns:reader.example", "https://reader.example/response", "nonce",
            ])
        },
        Known(.openID4VP) { _ in
            SessionTranscript(
                handover: .openID4VP(
                    clientID: "x509_san_dns:reader.example",
                    nonce: "nonce",
                    jwkThumbprint: DiagnosedSession.thumbprint,
                    responseURI: "https://reader.example/response"
                )
            )
        },
        Known(.openID4VPDigitalCredentialsAPI) { _ in
            SessionTranscript(
                handover: .openID4VPDigitalCredentialsAPI(
                    origin: "https://reader.example",
                    nonce: "nonce",
                    jwkThumbprint: DiagnosedSession.thumbprint
                )
            )
        },
        Known(.openID4VPDraft24DigitalCredentialsAPI) { _ in
            SessionTranscript(
                handover: .openID4VPDraft24DigitalCredentialsAPI(
                    origin: "https://reader.example",
                    clientID: "x509_san_dns:reader.example",
                    nonce: "nonce"
                )
            )
        },
        Known(.digitalCredentialsAPI) { _ in
            SessionTranscript(
                handover: .digitalCredentialsAPI(encryptionInfo: "gmVkY2FwaaA", origin: "https://reader.example")
            )
        },
        Known(.appleWallet) { session in
            try SessionTranscript(
                handover: .appleWallet(
                    nonce: [1, 2, 3],
                    merchantID: "merchant",
                    teamID: "team",
                    recipient: session.utopia.readerKey.publicKey
                )
            )
        },
        Known(.androidPreview) { session in
            try SessionTranscript(
                handover: .androidPreview(
                    nonce: [1, 2, 3],
                    packageName: "org.example.reader",
                    recipient: session.utopia.readerKey.publicKey
                )
            )
        },
        Known(.browserPreview) { session in
            try SessionTranscript(
                handover: .browserPreview(
                    nonce: [1, 2, 3],
                    origin: "https://reader.example",
                    recipient: session.utopia.readerKey.publicKey
                )
            )
        },
        Known(.given) { session in try #require(session.knowledge.sessionTranscript) },
        Known(.qr, .encryptionParameters) { _ in
            DiagnosedSession.proximity(readerKey: DiagnosedSession.tagged(DiagnosedSession.encryptionParameters))
        },
        Known(.openID4VPDigitalCredentialsAPI, .encryptionParameters) { _ in
            SessionTranscript(
                eReaderKeyBytes: DiagnosedSession.tagged(DiagnosedSession.encryptionParameters),
                handover: .openID4VPDigitalCredentialsAPI(
                    origin: "https://reader.example",
                    nonce: "nonce",
                    jwkThumbprint: DiagnosedSession.thumbprint
                )
            )
        },
    ]

    @Test(arguments: forms, [false, true])
    func everyKnownTranscript(_ known: Known, _ withMAC: Bool) async throws {
        let session = try await DiagnosedSession()
        let transcript = try known.transcript(session)
        let document = try await session.document(over: transcript, withMAC: withMAC)
        let diagnosis = await session.diagnosis(of: document)
        let fit = try #require(diagnosis.fit)
        #expect(fit.form == known.form)
        #expect(fit.variations == known.variations)
        #expect(fit.sessionTranscript == transcript)
        let authentication = DeviceAuthentication(
            sessionTranscript: transcript,
            docType: .mDL,
            deviceNameSpacesBytes: document.deviceSigned.nameSpacesBytes
        )
        #expect(fit.deviceAuthenticationBytes == authentication.taggedBytes)
        #expect(diagnosis.attempts.last?.sessionTranscript == transcript)
    }

    @Test func aFitIsNoVerification() async throws {
        let session = try await DiagnosedSession()
        let document = try await session.document(over: DiagnosedSession.proximity())
        let verification = try await session.utopia.verify(DeviceResponse(documents: [document]))
        #expect(verification.documents.first?.failure?.check == .holderBinding)
        #expect(verification.verifiedDocuments.isEmpty)
        #expect(await session.diagnosis(of: document).fit?.form == .qr)
    }

    @Test func nothingFits() async throws {
        let session = try await DiagnosedSession()
        let transcript = DiagnosedSession.proximity(.nfc(select: [0x91, 0xff]))
        for withMAC in [false, true] {
            let diagnosis = await session.diagnosis(of: try await session.document(over: transcript, withMAC: withMAC))
            guard case .nothingFits = diagnosis.finding else {
                Issue.record("\(diagnosis)")
                return
            }
            #expect(diagnosis.fit == nil)
            #expect((100..<2000).contains(diagnosis.attempts.count))
            let payloads = Set(diagnosis.attempts.map(\.deviceAuthenticationBytes))
            #expect(withMAC || payloads.count == diagnosis.attempts.count)
            #expect(diagnosis.description.contains("fits none of \(diagnosis.attempts.count) transcripts"))
            #expect(diagnosis.description.contains("OpenID4VP 1.0, redirect or direct_post\nSessionTranscript: 83f6f6"))
        }
    }

    @Test func nothingKnown() async throws {
        let session = try await DiagnosedSession()
        let document = try await session.document(over: DiagnosedSession.proximity())
        let diagnosis = await DeviceAuthenticationDiagnosis(of: document, knowing: SessionKnowledge())
        #expect(diagnosis.attempts.isEmpty && diagnosis.fit == nil)
        #expect(diagnosis.description.hasPrefix("Device authentication fits none of 0 transcripts"))
    }

    @Test func theBytesArePrinted() async throws {
        let session = try await DiagnosedSession()
        let document = try await session.document(over: DiagnosedSession.proximity())
        let text = await session.diagnosis(of: document).description
        let transcript = "83d8184ea3058000"
        #expect(text.hasPrefix("Device authentication fits QR code\nSessionTranscript: \(transcript)"))
        #expect(text.contains("DeviceAuthenticationBytes: d81858"))
        #expect(text.contains(#""DeviceAuthentication""#))
        #expect(text.contains("24(<<"))
        #expect(text.contains(#""org.iso.18013.5.1.mDL""#))
    }

    // MARK: What cannot be checked

    @Test func noReaderKeyForAMAC() async throws {
        let session = try await DiagnosedSession()
        let document = try await session.document(over: DiagnosedSession.proximity(), withMAC: true)
        let other = try PrivateKey.generate(.p384)
        for keys in [[], [other]] {
            let diagnosis = await DeviceAuthenticationDiagnosis(
                of: document,
                knowing: session.knowledge,
                readerKeys: keys
            )
            guard case .cannotBeChecked(let reason) = diagnosis.finding else {
                Issue.record("\(diagnosis)")
                return
            }
            #expect(reason == "none of the reader's keys is on the curve of the device key")
            #expect(diagnosis.description == "Device authentication cannot be checked: \(reason)")
        }
    }

    @Test func diagnosesAnUnknownAlgorithm() async throws {
        let session = try await DiagnosedSession()
        let response = try await session.utopia.presentation { document in
            document.change("deviceSigned") {
                $0.change("deviceAuth") {
                    $0.change("deviceSignature") { $0.change(0) { $0 = .bytes([0xa1, 0x01, 0x39, 0x01, 0x00]) } }
                }
            }
        }
        let diagnosis = await session.diagnosis(of: try #require(response.documents.first))
        guard case .cannotBeChecked = diagnosis.finding else {
            Issue.record("\(diagnosis)")
            return
        }
        #expect(diagnosis.attempts.count == 1)
    }

    @Test func refusesAMalformedDeviceKey() async throws {
        let session = try await DiagnosedSession()
        let licence = try await session.utopia.licence { object in
            object.change("deviceKeyInfo") { $0.change("deviceKey") { $0.set(-1, 99) } }
        }
        let response = try await session.utopia.presentation { document in
            document.set("issuerSigned", try CBOR(decoding: [UInt8](licence.encodedBytes)))
        }
        let diagnosis = await session.diagnosis(of: try #require(response.documents.first))
        guard case .cannotBeChecked(let reason) = diagnosis.finding else {
            Issue.record("\(diagnosis)")
            return
        }
        #expect(reason.hasPrefix("the device key cannot be used"))
        #expect(diagnosis.attempts.isEmpty)
    }
}
