import CBORKit
import CredentialTesting
import CryptoCore
import Foundation
import JSONKit
import MdocElements
import MdocKit
import MdocResults
import Testing

/// The values of claims by the tables of data elements, and who vouches for them.
@Suite struct TypedClaimTests {
    private let utopia: Utopia

    init() async throws {
        utopia = try await Utopia()
    }

    private func presentation(
        _ elements: KeyValuePairs<DataElementIdentifier, CBOR>,
        options: MdocReadingOptions = .strict
    ) async throws -> MobileCredentialPresentation {
        let credential = try await utopia.credential(.mDL, elements)
        let identifiers = elements.map { ($0.key, false) }
        let request = MobileCredentialRequest(
            docType: .mDL,
            namespaces: [.mDL: Dictionary(uniqueKeysWithValues: identifiers)]
        )
        let response = try await utopia.respond(credential)
        let result = try MobileCredentialResponse(
            await utopia.verify(response),
            of: response,
            requests: [request],
            options: options
        )
        return try #require(result.credentials.first)
    }

    @Test func typesOfTheTables() async throws {
        let credential = try await presentation([
            "family_name": "Doe", "age_over_18": true, "height": 170, "birth_date": .tagged(1004, "1990-05-15"),
            "issue_date": .tagged(0, "2024-01-15T10:00:00Z"), "expiry_date": .tagged(1004, "2029-01-15"),
            "portrait": .bytes([0xff, 0xd8, 0xff]),
            "driving_privileges": [
                ["vehicle_category_code": "A", "issue_date": .tagged(1004, "2018-08-09"), "unlisted": 1]
            ],
        ])
        #expect(credential.claimErrors?.isEmpty == true)
        let claims = try #require(credential.claims?[.mDL])
        let day = try #require(FullDate("2018-08-09"))
        #expect(
            claims.mapValues(\.typedValue) == [
                "family_name": .text("Doe"), "age_over_18": .bool(true), "height": .integer(170),
                "birth_date": try .date(#require(FullDate("1990-05-15"))),
                "issue_date": .dateTime(Date(timeIntervalSince1970: 1_705_312_800)),
                "expiry_date": try .date(#require(FullDate("2029-01-15"))), "portrait": .bytes([0xff, 0xd8, 0xff]),
                "driving_privileges": .array([
                    .structure(["vehicle_category_code": .text("A"), "issue_date": .date(day)])
                ]),
            ]
        )
        let privileges = try claims["driving_privileges"]?.read(as: [DrivingPrivilege].self)
        #expect(privileges == [DrivingPrivilege(vehicleCategoryCode: "A", issueDate: day)])
        #expect(claims.values.allSatisfy { $0.source == .issuer })
        #expect(claims["family_name"]?.value == "Doe")
    }

    @Test func elementsWithoutATable() async throws {
        let credential = try await utopia.credential(
            "org.example",
            [
                "text": "t", "number": -3, "flag": false, "day": .tagged(1004, "1990-05-15"), "bytes": .bytes([1]),
                "ratio": .double(0.5), "list": [1, "a"], "big": .unsigned(.max), "none": .null,
            ],
            in: "org.example"
        )
        let names: [DataElementIdentifier] = ["text", "number", "flag", "day", "bytes", "ratio", "list", "big", "none"]
        let request = MobileCredentialRequest(
            docType: "org.example",
            namespaces: ["org.example": Dictionary(uniqueKeysWithValues: names.map { ($0, false) })]
        )
        let result = try await utopia.result(of: utopia.respond(credential), to: [request])
        let claims = try #require(result.verifiedCredentials.first?.claims["org.example"])
        #expect(
            claims.mapValues(\.typedValue) == [
                "text": .text("t"), "number": .integer(-3), "flag": .bool(false),
                "day": try .date(#require(FullDate("1990-05-15"))), "bytes": .bytes([1]), "ratio": .other(.double(0.5)),
                "list": .other([1, "a"]), "big": .other(.unsigned(.max)), "none": .other(.null),
            ]
        )
    }

    /// A claim of another type than its table has is an error and no claim.
    @Test func valuesOfTheWrongType() async throws {
        let credential = try await presentation([
            "family_name": 1, "age_over_18": "yes", "birth_date": "1990-05-15", "driving_privileges": [["codes": 1]],
            "height": -1, "given_name": "Jane", "issue_date": 7,
        ])
        #expect(credential.verificationResult.verified)
        #expect(credential.claims?[.mDL]?.keys.map(\.text) == ["given_name"])
        #expect(
            credential.claimErrors?[.mDL] == [
                "family_name": .invalidValue, "age_over_18": .invalidValue, "birth_date": .invalidValue,
                "driving_privileges": .invalidValue, "height": .invalidValue, "issue_date": .invalidValue,
            ]
        )
        let tolerant = try await presentation(
            ["birth_date": "1990-05-15", "issue_date": "2024-01-15"],
            options: .deployed
        )
        #expect(tolerant.claimErrors?.isEmpty == true)
        #expect(try tolerant.claims?[.mDL]?["birth_date"]?.typedValue == .date(#require(FullDate("1990-05-15"))))
        #expect(try tolerant.claims?[.mDL]?["issue_date"]?.typedValue == .date(#require(FullDate("2024-01-15"))))
    }

    @Test func claimsOfTheDevice() async throws {
        var builder = try utopia.builder()
        builder.keyAuthorizations = try KeyAuthorizations(nameSpaces: ["org.example"])
        let response = try await utopia.present(
            utopia.issue(builder),
            deviceNameSpaces: ["org.example": ["hash": .bytes([7])]]
        )
        let request = MobileCredentialRequest(
            docType: .mDL,
            namespaces: [.mDL: ["family_name": false], "org.example": ["hash": false, "amount": false]]
        )
        let result = try await utopia.result(of: response, to: [request])
        let credential = try #require(result.verifiedCredentials.first)
        #expect(credential.claims[.mDL]?["family_name"]?.source == .issuer)
        #expect(credential.claims["org.example"]?["hash"]?.source == .device)
        #expect(credential.claims["org.example"]?["hash"]?.typedValue == .bytes([7]))
        #expect(credential.claimErrors == ["org.example": ["amount": .notReturned]])
    }

    /// The JSON has values only.
    @Test func claimsFromJSONHaveNoType() async throws {
        let credential = try await presentation(["birth_date": .tagged(1004, "1990-05-15")])
        let claim = try #require(credential.claims?[.mDL]?["birth_date"])
        let json = try StrictJSONEncoder().encodeValue(claim)
        #expect(json == ["value": "1990-05-15"])
        let read = try StrictJSONDecoder().decode(MobileCredentialClaim.self, from: json)
        #expect(read == claim && read.typedValue == nil && read.source == nil)
        #expect(Set([read, claim]).count == 1)
        let error = #expect(throws: MdocError.self) { try read.read(as: FullDate.self) }
        #expect(error?.code == .unexpectedType)
        #expect(try claim.read(as: FullDate.self) == FullDate("1990-05-15"))
    }

    @Test func accessorsBesideTheEnumeration() async throws {
        let verified = try await presentation(["family_name": "Doe"])
        #expect(verified.verificationResult.verified && verified.verificationResult.reason == nil)
        let info = try #require(verified.issuerInfo)
        #expect(info.trustedIssuerCertificateId == info.trustedIssuerId)
        #expect(info.trustedIssuerId == TrustAnchor(utopia.iaca.certificate).id)
        let response = try await utopia.respond(utopia.licence())
        let request = MobileCredentialRequest(docType: .mDL, namespaces: [.mDL: ["family_name": false]])
        let result = try await utopia.result(
            of: response,
            to: [request],
            with: utopia.verifier(at: Utopia.now + 91 * Utopia.day)
        )
        let refused = try #require(result.credentials.first)
        #expect(!refused.verificationResult.verified)
        #expect(refused.verificationResult.reason?.type == .mobileCredentialExpired)
        #expect(refused.claims == nil && refused.claimErrors == nil)
        #expect(refused.issuerInfo == nil && refused.branding == nil)
        #expect(refused.validityInfo == Utopia.validity)
    }
}
