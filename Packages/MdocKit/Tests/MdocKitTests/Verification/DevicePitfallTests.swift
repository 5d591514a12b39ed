import CBORKit
import COSEKit
import CryptoCore
import MdocKit
import MdocResults
import Testing

/// Known mistakes of implementations with device authentication (ISO/IEC 18013-5, 12.4).
@Suite struct DevicePitfallTests {
    private func document(
        _ utopia: Utopia,
        _ response: DeviceResponse
    ) async throws -> Verification<VerifiedMdocDocument> {
        try #require(try await utopia.verify(response).documents.first)
    }

    private func authenticated(_ utopia: Utopia) async throws -> DeviceResponse {
        let prepared = try PreparedMdocDocument(await utopia.licence(), sessionTranscript: utopia.transcript)
        return try DeviceResponse(documents: [
            await prepared.authenticated(with: utopia.deviceKey, readerKey: utopia.ephemeralReaderKey.publicKey)
        ])
    }

    /// A response whose MAC was changed as COSE.
    private func changing(
        _ response: DeviceResponse,
        _ change: (inout CBOR) throws -> Void
    ) throws -> DeviceResponse {
        var message = try CBOR(decoding: [UInt8](response.encodedBytes))
        try message.change("documents") {
            try $0.change(0) {
                try $0.change("deviceSigned") { try $0.change("deviceAuth") { try $0.change("deviceMac", change) } }
            }
        }
        return try DeviceResponse(decoding: message.encoded())
    }

    @Test(arguments: [16, 31, 33])
    func aTagOfAnotherLength(_ length: Int) async throws {
        let utopia = try await Utopia()
        let response = try changing(try await authenticated(utopia)) { mac in
            mac.change(3) { $0 = .bytes(Array((($0.bytesValue ?? []) + [0]).prefix(length))) }
        }
        #expect(try await document(utopia, response).failure?.check == .holderBinding)
    }

    @Test func aPayloadInTheMAC() async throws {
        let utopia = try await Utopia()
        let response = try changing(try await authenticated(utopia)) { $0.change(2) { $0 = .bytes([]) } }
        #expect(try await document(utopia, response).failure?.check == .holderBinding)
    }

    /// Only HMAC 256/256 is of the standard.
    @Test(arguments: [4, 6, 7, -7])
    func anotherAlgorithmOfTheMAC(_ label: Int) async throws {
        let utopia = try await Utopia()
        let header: CBOR = [1: .integer(label)]
        let response = try changing(try await authenticated(utopia)) { $0.change(0) { $0 = .bytes(header.encoded()) } }
        let failure = try await document(utopia, response).failure
        #expect(failure?.check == .holderBinding)
        #expect(failure?.reason == .mobileCredentialInvalid)
    }

    /// The MAC is by the static key of the mobile security object, not by the ephemeral one of the engagement.
    @Test func aMACByTheEphemeralKeyOfTheDevice() async throws {
        let utopia = try await Utopia()
        let ephemeral = try PrivateKey.generate(.p256)
        let prepared = try PreparedMdocDocument(await utopia.licence(), sessionTranscript: utopia.transcript)
        let secret = try utopia.ephemeralReaderKey.sharedSecret(with: ephemeral.publicKey)
        let response = try DeviceResponse(documents: [try prepared.authenticated(with: secret)])
        #expect(try await document(utopia, response).failure?.check == .holderBinding)
    }

    /// Any of the reader's keys may be the one: its ephemeral key, its MAC keys, its response encryption keys.
    @Test func theReadersKeysAreTriedInTurn() async throws {
        let utopia = try await Utopia()
        let response = try await authenticated(utopia)
        let verification = try await utopia.verifier().verify(
            response,
            sessionTranscript: utopia.transcript,
            readerKeys: [PrivateKey.generate(.x25519), PrivateKey.generate(.p256), utopia.ephemeralReaderKey]
        )
        #expect(verification.verifiedDocuments.count == 1)
    }

    /// A point of small order gives a secret of zeros, which everybody knows.
    @Test func aDeviceKeyOfSmallOrder() async throws {
        let utopia = try await Utopia(deviceCurve: .x25519)
        let zero: CBOR = [1: 1, -1: 4, -2: .bytes([UInt8](repeating: 0, count: 32))]
        let licence = try await utopia.licence { $0.change("deviceKeyInfo") { $0.set("deviceKey", zero) } }
        let prepared = try PreparedMdocDocument(licence, sessionTranscript: utopia.transcript)
        let secret = SecretBytes([UInt8](repeating: 0, count: 32))
        let response = try DeviceResponse(documents: [try prepared.authenticated(with: secret)])
        let document = try await document(utopia, response)
        #expect(document.verified == nil, "\(document.checks)")
    }

    /// The country must be that of the issuer's certificate, whether issuer or device signed it (13.4.2).
    @Test(arguments: [("UT", true), ("NL", false)])
    func countryThatTheDeviceSigned(_ country: String, _ isIssuers: Bool) async throws {
        let utopia = try await Utopia()
        var builder = IssuerSignedBuilder(
            docType: .mDL,
            deviceKey: utopia.deviceKey.publicKey,
            validityInfo: Utopia.validity
        )
        try builder.add("Doe", as: "family_name", in: .mDL)
        builder.keyAuthorizations = try KeyAuthorizations(nameSpaces: [.mDL])
        let elements: DataElements<CBOR> = [.mDL: ["issuing_country": .text(country)]]
        let response = try await utopia.present(utopia.issue(builder), deviceNameSpaces: elements)
        let document = try await document(utopia, response)
        #expect(document.failure?.check == (isIssuers ? nil : .issuingCountry), "\(document.checks)")
    }

    /// The first edition forbids it, the second has keyAuthorizations decide.
    @Test(arguments: [true, false])
    func elementsOfTheLicenceSignedByTheDevice(_ isAuthorized: Bool) async throws {
        let utopia = try await Utopia()
        var elements = DataElements<CBOR>()
        elements[.mDL, "resident_city"] = "Amaurot"
        let licence = try await utopia.licence { object in
            guard isAuthorized else { return }
            object.change("deviceKeyInfo") {
                $0.set("keyAuthorizations", ["dataElements": ["org.iso.18013.5.1": ["resident_city"]]])
            }
        }
        let nameSpaces = CBOR.tagged(
            24,
            .bytes((["org.iso.18013.5.1": ["resident_city": "Amaurot"]] as CBOR).encoded())
        )
        let authentication = DeviceAuthentication(
            sessionTranscript: utopia.transcript,
            docType: .mDL,
            deviceNameSpacesBytes: nameSpaces.encoded()
        )
        let signature = try await COSESign1.sign(
            authentication.taggedBytes,
            detached: true,
            with: SoftwareSigner(utopia.deviceKey)
        )
        let response = try await utopia.presentation(of: licence) { document in
            let auth: CBOR = ["deviceSignature": try CBOR(decoding: signature.encoded(tagged: false))]
            document.set("deviceSigned", ["nameSpaces": nameSpaces, "deviceAuth": auth])
        }
        let document = try await document(utopia, response)
        #expect(document.verified?[.mDL, "resident_city"]?.source == (isAuthorized ? .device : nil))
        #expect(document.failure?.reason == (isAuthorized ? nil : .deviceKeyInvalid))
    }

    /// The device's elements are authenticated as they came, in whatever encoding.
    @Test func nameSpacesInAnotherEncoding() async throws {
        let utopia = try await Utopia()
        // An empty map whose head takes two bytes.
        let nameSpaces: [UInt8] = [0xd8, 0x18, 0x42, 0xb8, 0x00]
        let authentication = DeviceAuthentication(
            sessionTranscript: utopia.transcript,
            docType: .mDL,
            deviceNameSpacesBytes: nameSpaces
        )
        let signature = try await COSESign1.sign(
            authentication.taggedBytes,
            detached: true,
            with: SoftwareSigner(utopia.deviceKey)
        )
        for options in [MdocReadingOptions.strict, MdocReadingOptions(tolerances: [.nonPreferredEncoding])] {
            let response = try await utopia.presentation(options: options) { document in
                let auth: CBOR = ["deviceSignature": try CBOR(decoding: signature.encoded(tagged: false))]
                document.set("deviceSigned", ["nameSpaces": try CBOR(decoding: nameSpaces), "deviceAuth": auth])
            }
            let document = try await document(utopia, response)
            if options.tolerances.isEmpty {
                #expect(document.refusal?.reason == .malformed)
                #expect(document.refusal?.message.contains("not tolerated: nonPreferredEncoding") == true)
            } else {
                #expect(document.verified != nil, "\(document.checks)")
                #expect(document.deviations.map(\.tolerance) == ["nonPreferredEncoding"])
            }
        }
    }

    /// A response with status 0 and no documents: nothing matched, or nothing was shared.
    @Test func noDocuments() async throws {
        let utopia = try await Utopia()
        let response = try DeviceResponse(decoding: (["version": "1.0", "status": 0] as CBOR).encoded())
        let verification = try await utopia.verify(response)
        #expect(verification.documents.isEmpty)
        #expect(verification.verifiedDocuments.isEmpty)
    }
}
