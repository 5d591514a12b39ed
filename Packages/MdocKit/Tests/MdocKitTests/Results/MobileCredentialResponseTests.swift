import CBORKit
import CryptoCore
import Foundation
import JSONKit
import MdocKit
import MdocResults
import Testing

/// Results of real presentations.
@Suite struct MobileCredentialResponseTests {
    private let request = MobileCredentialRequest(
        docType: .mDL,
        namespaces: [.mDL: ["family_name": true, "age_over_16": false, "portrait": false]]
    )

    private func json(_ response: MobileCredentialResponse) throws -> JSONValue {
        try StrictJSONEncoder().encodeValue(response)
    }

    @Test func aVerifiedCredential() async throws {
        let utopia = try await Utopia()
        let response = try await utopia.result(of: utopia.respond(utopia.licence()), to: [request]) { document in
            Branding(name: "\(document.docType)", description: "\(document.trustAnchor.id.count)")
        }
        let credential = try #require(response.verifiedCredentials.first)
        #expect(credential.claims.keys.map(\.text) == ["org.iso.18013.5.1"])
        #expect(credential.claims[.mDL]?.mapValues(\.value) == ["family_name": "Doe", "age_over_18": true])
        #expect(credential.claimErrors == [.mDL: ["portrait": .notReturned]])
        #expect(credential.validityInfo == Utopia.validity)
        let iaca = utopia.iaca.certificate
        #expect(credential.issuerInfo?.commonName == iaca.subject.commonName)
        #expect(credential.issuerInfo?.commonName?.isEmpty == false)
        #expect(credential.issuerInfo?.trustedIssuerId == TrustAnchor(iaca).id)
        #expect(credential.branding == Branding(name: "org.iso.18013.5.1.mDL", description: "64"))
        #expect(response.credentialErrors.isEmpty)
        #expect(response.credentials.map(\.verificationResult) == [.verified])
        let written = try StrictJSONEncoder().encode(response)
        #expect(try StrictJSONDecoder().decode(MobileCredentialResponse.self, from: written) == response)
    }

    @Test func valuesInJSON() async throws {
        let utopia = try await Utopia()
        let credential = try await utopia.credential(
            .mDL,
            [
                "birth_date": .tagged(1004, "1990-05-15"), "issue_date": .tagged(0, "2024-01-15T10:00:00Z"),
                "portrait": .bytes([0xff, 0xd8, 0xfe]), "height": 170, "big": .unsigned(.max), "ratio": .double(0.5),
                "driving_privileges": [["vehicle_category_code": "A", "codes": [["code": "01"]]]],
                "place": ["country": "UT", "known": false, "none": .null],
            ]
        )
        let namespaces: [NameSpace: [DataElementIdentifier: Bool]] = [
            .mDL: [
                "birth_date": false, "issue_date": false, "portrait": false, "height": false, "big": false,
                "ratio": false, "driving_privileges": false, "place": false,
            ]
        ]
        let response = try await utopia.result(
            of: utopia.respond(credential),
            to: [MobileCredentialRequest(docType: .mDL, namespaces: namespaces)]
        )
        let claims = try #require(response.verifiedCredentials.first?.claims[.mDL]).mapValues(\.value)
        #expect(claims["birth_date"] == "1990-05-15")
        #expect(claims["issue_date"] == "2024-01-15T10:00:00Z")
        #expect(claims["portrait"] == "_9j-")
        #expect(claims["height"] == 170)
        #expect(claims["big"] == .integer(UInt64.max))
        #expect(claims["ratio"] == .number(try JSONNumber(0.5)))
        #expect(claims["driving_privileges"] == [["vehicle_category_code": "A", "codes": [["code": "01"]]]])
        #expect(claims["place"] == ["country": "UT", "known": false, "none": .null])
        #expect(claims.count == 8)
        let written = try StrictJSONEncoder().encode(response)
        #expect(try StrictJSONDecoder().decode(MobileCredentialResponse.self, from: written) == response)
    }

    @Test func aRefusedCredentialHasNoClaims() async throws {
        let utopia = try await Utopia()
        let response = try await utopia.result(
            of: utopia.respond(utopia.licence()),
            to: [request],
            with: utopia.verifier(at: Utopia.now + 91 * Utopia.day),
            branding: { _ in Branding(name: "must not be asked for") }
        )
        #expect(response.verifiedCredentials.isEmpty && response.credentialErrors.isEmpty)
        let credential = try #require(try json(response)["credentials"]?[0])
        #expect(credential.objectValue?.names.sorted() == ["docType", "validityInfo", "verificationResult"])
        #expect(
            credential["verificationResult"] == [
                "verified": false,
                "reason": ["type": "MobileCredentialExpired", "message": "Credential has expired"],
            ]
        )
    }

    @Test func takesNoUnrequestedElements() async throws {
        let utopia = try await Utopia()
        let response = try await utopia.respond(
            utopia.credential("org.example", ["sex": 1]),
            utopia.credential(.mDL, ["family_name": "Doe", "sex": 1])
        )
        let result = try await utopia.result(of: response, to: [request])
        #expect(result.credentials.map(\.docType) == ["org.example", .mDL])
        #expect(
            result.credentials.first?.verificationResult
                == .failed(.init(.mobileCredentialInvalid, message: "Credential was not asked for"))
        )
        #expect(result.verifiedCredentials.first?.claims == [.mDL: ["family_name": try claim("Doe")]])
        let checked = await utopia.verifier().verify(
            response,
            sessionTranscript: utopia.transcript,
            request: try DeviceRequest([request])
        )
        let asked = try MobileCredentialResponse(checked, of: response, requests: [request])
        #expect(asked.credentials.first?.verificationResult == .failed(.init(.mobileCredentialInvalid)))
    }

    @Test func issuersThatTheRequestDoesNotTake() async throws {
        let utopia = try await Utopia()
        let received = try await utopia.respond(utopia.licence())
        let verification = try await utopia.verify(received)
        func response(_ issuer: [UInt8]) throws -> MobileCredentialResponse {
            var info = DocRequestInfo()
            info.issuerIdentifiers = [issuer]
            let docRequest = DocRequest(try request.itemsRequest(requestInfo: info))
            let request = try DeviceRequest(docRequests: [docRequest])
            return MobileCredentialResponse(verification, of: received, request: request)
        }
        let authority = try #require(utopia.documentSigner.authorityKeyIdentifier?.keyIdentifier)
        #expect(try response([UInt8](authority)).verifiedCredentials.count == 1)
        let message = "Issuer of the credential is not one that was asked for"
        #expect(
            try response([1]).credentials.map(\.verificationResult)
                == [.failed(.init(.issuerNotTrusted, message: message))]
        )
    }

    private func claim(_ text: String) throws -> MobileCredentialClaim {
        try StrictJSONDecoder().decode(MobileCredentialClaim.self, from: #"{"value": "\#(text)"}"#)
    }

    @Test func credentialsThatAreAbsent() async throws {
        let utopia = try await Utopia()
        let other = MobileCredentialRequest(docType: "org.example", namespaces: [.mDL: ["sex": false]])
        let response = try await utopia.result(of: utopia.respond(utopia.licence()), to: [other, request, other])
        #expect(response.credentialErrors == [CredentialError(docType: "org.example", errorCode: .notReturned)])
        #expect(response.verifiedCredentials.count == 1)
        let none = try await utopia.result(of: DeviceResponse(documents: []), to: [request, request])
        #expect(
            try json(none) == ["credentialErrors": [["docType": "org.iso.18013.5.1.mDL", "errorCode": "notReturned"]]]
        )
    }

    @Test func severalRequestsForOneType() async throws {
        let utopia = try await Utopia()
        let first = MobileCredentialRequest(docType: .mDL, namespaces: [.mDL: ["family_name": false, "sex": false]])
        let second = MobileCredentialRequest(docType: .mDL, namespaces: [.mDL: ["given_name": false, "height": false]])
        let separate = try await utopia.result(
            of: utopia.respond(
                utopia.credential(.mDL, ["given_name": "J", "height": 170]),
                utopia.credential(.mDL, ["family_name": "D"])
            ),
            to: [first, second]
        )
        #expect(separate.verifiedCredentials.map { $0.claims[.mDL]?.count } == [2, 1])
        #expect(separate.verifiedCredentials.map(\.claimErrors) == [[:], [.mDL: ["sex": .notReturned]]])
        let joined = try await utopia.result(
            of: utopia.respond(utopia.credential(.mDL, ["given_name": "J", "family_name": "D"])),
            to: [first, second]
        )
        #expect(joined.verifiedCredentials.map { $0.claims[.mDL]?.count } == [2])
        #expect(
            joined.verifiedCredentials.map(\.claimErrors) == [[.mDL: ["sex": .notReturned, "height": .notReturned]]]
        )
    }

    @Test func unreadableDocuments() async throws {
        let utopia = try await Utopia()
        let typed = try await utopia.presentation { $0.set("issuerSigned", nil) }
        let result = try await utopia.result(of: typed, to: [request])
        #expect(result.credentials.map(\.verificationResult) == [.failed(.init(.mobileCredentialInvalid))])
        #expect(result.credentials.first?.validityInfo == nil)
        #expect(result.credentialErrors.isEmpty)
        let untyped = try await utopia.presentation { $0.set("docType", 1) }
        let absent = try await utopia.result(of: untyped, to: [request])
        #expect(absent.credentials.isEmpty)
        #expect(absent.credentialErrors == [CredentialError(docType: .mDL, errorCode: .notReturned)])
    }

    // MARK: From bytes to the result

    private func result(
        _ bytes: [UInt8],
        _ utopia: Utopia,
        skipStatusCheck: Bool = false
    ) async throws -> OnlinePresentationSessionResult {
        await utopia.verifier().result(
            of: bytes,
            to: try DeviceRequest([request]),
            sessionTranscript: utopia.transcript,
            challenge: "c",
            skipStatusCheck: skipStatusCheck
        )
    }

    @Test func aWholeSession() async throws {
        let utopia = try await Utopia()
        let response = try await utopia.respond(utopia.licence())
        let result = try await result([UInt8](response.encodedBytes), utopia)
        #expect(result.answers(challenge: "c"))
        #expect(result.mobileCredentialResponse?.verifiedCredentials.count == 1)
        #expect(result.error == nil)
    }

    @Test func reportsAnUnknownStatus() async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        builder.status = MobileSecurityObject.Status(statusList: .init(index: 1, uri: "https://utopia.example/status"))
        let bytes = [UInt8](try await utopia.respond(utopia.issue(builder)).encodedBytes)
        let result = try await result(bytes, utopia)
        #expect(
            result.mobileCredentialResponse?.credentials.map(\.verificationResult) == [.failed(.init(.statusUnknown))]
        )
        let skipped = try await self.result(bytes, utopia, skipStatusCheck: true)
        #expect(skipped.mobileCredentialResponse?.verifiedCredentials.count == 1)
    }

    @Test func responsesThatCannotBeUsed() async throws {
        let utopia = try await Utopia()
        for status in [10, 11, 12, 20] {
            let bytes = CBOR.map(["version": "1.0", "status": .integer(status)]).encoded()
            let result = try await result(bytes, utopia)
            #expect(result.error?.type == (status == 20 ? .sessionAborted : .responseError))
            #expect(result.error?.message.contains("status \(status)") == true)
            #expect(result.challenge == "c")
        }
        for bytes: [UInt8] in [[], [0xff], [0x80], CBOR.map(["version": "2.0", "status": 0]).encoded()] {
            #expect(try await result(bytes, utopia).error?.type == .responseError)
        }
    }
}
