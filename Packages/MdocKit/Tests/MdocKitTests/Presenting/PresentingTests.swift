import CBORKit
import COSEKit
import CryptoCore
import Foundation
import MdocKit
import Testing

@Suite struct PresentingTests {
    @Test(arguments: EllipticCurve.standardForSignatures)
    func signsWithEveryCurveOfTheStandard(_ curve: EllipticCurve) async throws {
        let utopia = try await Utopia(deviceCurve: curve == .ed25519 || curve == .ed448 ? .p256 : curve)
        let deviceKey = try PrivateKey.generate(curve)
        var builder = IssuerSignedBuilder(
            docType: .mDL,
            deviceKey: deviceKey.publicKey,
            validityInfo: Utopia.validity
        )
        try builder.add("Doe", as: "family_name", in: .mDL)
        let prepared = try PreparedMdocDocument(await utopia.issue(builder), sessionTranscript: utopia.transcript)
        let response = try DeviceResponse(documents: [await prepared.signed(with: SoftwareSigner(deviceKey))])
        let document = try #require(try await utopia.verify(response).documents.first)
        #expect(document.verified != nil, "\(document.checks)")
    }

    @Test(arguments: EllipticCurve.standardForKeyAgreement)
    func makesMACsOnEveryCurveOfTheStandard(_ curve: EllipticCurve) async throws {
        let utopia = try await Utopia(deviceCurve: curve)
        let prepared = try PreparedMdocDocument(await utopia.licence(), sessionTranscript: utopia.transcript)
        let document = try await prepared.authenticated(
            with: utopia.deviceKey,
            readerKey: utopia.ephemeralReaderKey.publicKey
        )
        let result = try #require(try await utopia.verify(DeviceResponse(documents: [document])).documents.first)
        #expect(result.verified != nil, "\(result.checks)")
    }

    @Test func signsInTwoSteps() async throws {
        let utopia = try await Utopia()
        let prepared = try PreparedMdocDocument(await utopia.licence(), sessionTranscript: utopia.transcript)
        let unsigned = try prepared.unsignedSignature()
        #expect(unsigned.algorithm == .ecdsaSHA256)
        let signature = try SoftwareSigner(utopia.deviceKey).signature(for: unsigned.bytesToSign)
        let response = try DeviceResponse(documents: [unsigned.completed(with: signature)])
        #expect(try await utopia.verify(response).verifiedDocuments.count == 1)
        let error = #expect(throws: MdocError.self) { try unsigned.completed(with: signature.reversed()) }
        #expect(error?.code == .signingFailed)
    }

    @Test func showsOnlyWhatWasAskedFor() async throws {
        let utopia = try await Utopia()
        let licence = try await utopia.licence()
        let request = try ItemsRequest(
            docType: .mDL,
            nameSpaces: [
                .mDL: ["family_name": false, "portrait": false, "age_over_18": true],
                "org.iso.18013.5.1.UT": ["organ_donor": false],
            ]
        )
        let limited = try licence.limitDisclosures(docRequest: DocRequest(request))
        let shown = limited.nameSpaces.map { $0.items.map(\.elementIdentifier) }
        #expect(shown == [["family_name", "age_over_18"], ["organ_donor"]])
        #expect(limited.issuerAuth.signature == licence.issuerAuth.signature)
        for group in limited.nameSpaces {
            for item in group.items {
                let original = licence[group.nameSpace, item.elementIdentifier]
                #expect(original?.taggedBytes == item.taggedBytes)
            }
        }
        let document = try #require(try await utopia.verify(utopia.present(limited)).verifiedDocuments.first)
        #expect(document.elements.count == 3)
        #expect(document[.mDL, "given_name"] == nil)
    }

    @Test func showsNothingWhereNothingFits() async throws {
        let utopia = try await Utopia()
        let request = try ItemsRequest(docType: .mDL, nameSpaces: ["org.example": ["a": false]])
        let limited = try await utopia.licence().limitDisclosures(docRequest: DocRequest(request))
        #expect(limited.nameSpaces.isEmpty)
        let document = try #require(try await utopia.verify(utopia.present(limited)).verifiedDocuments.first)
        #expect(document.elements.isEmpty)
    }

    @Test func refusesARequestForAnotherDocument() async throws {
        let licence = try await Utopia().licence()
        let request = try ItemsRequest(docType: "org.example", nameSpaces: [.mDL: ["family_name": false]])
        let error = #expect(throws: MdocError.self) {
            try licence.limitDisclosures(docRequest: DocRequest(request))
        }
        #expect(error?.code == .invalidValue)
    }

    @Test func answersAgesWithTheNearestStatement() async throws {
        let licence = try await Utopia().licence()
        func shown(_ elements: KeyValuePairs<DataElementIdentifier, Bool>) throws -> [DataElementIdentifier] {
            let request = try ItemsRequest.received(elements)
            return try licence.limitDisclosures(docRequest: DocRequest(request))[.mDL].map(\.elementIdentifier)
        }
        #expect(try shown(["age_over_16": false]) == ["age_over_18"])
        #expect(try shown(["age_over_20": false]) == ["age_over_21"])
        #expect(try shown(["age_over_65": false]) == [])
        // Two statements at most are returned, whatever number of requests they answer.
        let three: KeyValuePairs<DataElementIdentifier, Bool> = [
            "age_over_16": false, "age_over_17": false, "age_over_21": false,
        ]
        #expect(try shown(three) == ["age_over_18", "age_over_21"])
        #expect(try shown(["age_over_1": false]) == [])
    }

    @Test func refusesADeviceKeyThatIsNotTheCredentials() async throws {
        let utopia = try await Utopia()
        let prepared = try PreparedMdocDocument(await utopia.licence(), sessionTranscript: utopia.transcript)
        let signing = await #expect(throws: MdocError.self) {
            try await prepared.signed(with: SoftwareSigner(utopia.readerKey))
        }
        #expect(signing?.code == .keyMismatch)
        let agreeing = await #expect(throws: MdocError.self) {
            try await prepared.authenticated(with: utopia.readerKey, readerKey: utopia.ephemeralReaderKey.publicKey)
        }
        #expect(agreeing?.code == .keyMismatch)
        let curve = await #expect(throws: MdocError.self) {
            try await prepared.authenticated(with: utopia.deviceKey, readerKey: PrivateKey.generate(.p384).publicKey)
        }
        #expect(curve?.code == .keyMismatch)
    }

    @Test func aKeyForAgreementCannotSign() async throws {
        let utopia = try await Utopia(deviceCurve: .x25519)
        let prepared = try PreparedMdocDocument(await utopia.licence(), sessionTranscript: utopia.transcript)
        let error = #expect(throws: MdocError.self) { try prepared.unsignedSignature() }
        #expect(error?.code == .unsupportedKey)
    }

    @Test func signsElementsOfTheDevice() async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        builder.keyAuthorizations = try KeyAuthorizations(nameSpaces: ["org.example"])
        let licence = try await utopia.issue(builder)
        let response = try await utopia.present(licence, deviceNameSpaces: ["org.example": ["amount": 12]])
        let document = try #require(try await utopia.verify(response).verifiedDocuments.first)
        #expect(document["org.example", "amount"]?.value == 12)
        let error = #expect(throws: MdocError.self) {
            try PreparedMdocDocument(
                licence,
                deviceNameSpaces: ["org.other": ["amount": 12]],
                sessionTranscript: utopia.transcript
            )
        }
        #expect(error?.code == .invalidValue)
    }

    @Test func refusesAnElementOfTheDeviceThatTheIssuerSigned() async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        builder.keyAuthorizations = try KeyAuthorizations(nameSpaces: [.mDL])
        let licence = try await utopia.issue(builder)
        let error = #expect(throws: MdocError.self) {
            try PreparedMdocDocument(
                licence,
                deviceNameSpaces: [.mDL: ["family_name": "Roe"]],
                sessionTranscript: utopia.transcript
            )
        }
        #expect(error?.code == .duplicateElement)
    }

    @Test func tellsWhatIsNotReturned() async throws {
        let utopia = try await Utopia()
        let prepared = try PreparedMdocDocument(
            await utopia.licence(),
            errors: [.mDL: ["portrait": .dataNotReturned, "signature": MdocErrorCode(rawValue: -7)]],
            sessionTranscript: utopia.transcript
        )
        let document = try await prepared.signed(with: SoftwareSigner(utopia.deviceKey))
        let response = try DeviceResponse(
            documents: [document],
            documentErrors: [(docType: "org.iso.23220.photoid.1", code: .dataNotReturned)]
        )
        let read = try DeviceResponse(decoding: [UInt8](response.encodedBytes))
        #expect(read.documents.first?.errors[.mDL, "signature"] == MdocErrorCode(rawValue: -7))
        #expect(read.documents.first?.errors.count == 2)
        #expect(read.documentErrors.map(\.docType) == ["org.iso.23220.photoid.1"])
        #expect(try await utopia.verify(read).verifiedDocuments.count == 1)
    }

    @Test func anEmptyResponseAndAFailure() async throws {
        let empty = try DeviceResponse(documents: [])
        #expect([UInt8](empty.encodedBytes) == (["version": "1.0", "status": 0] as CBOR).encoded())
        #expect(empty.status == .ok)
        let failure = try DeviceResponse(failure: .cborValidationError)
        #expect(failure.status.rawValue == 12)
        let error = #expect(throws: MdocError.self) { try DeviceResponse(failure: .ok) }
        #expect(error?.code == .invalidValue)
    }
}
