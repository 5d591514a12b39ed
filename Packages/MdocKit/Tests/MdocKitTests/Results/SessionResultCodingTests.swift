import Foundation
import JSONKit
import MdocKit
import MdocResults
import Testing

/// The JSON of results: what is written, and what is refused.
@Suite struct SessionResultCodingTests {
    private func result(_ text: String) throws(JSONError) -> OnlinePresentationSessionResult {
        try StrictJSONDecoder().decode(OnlinePresentationSessionResult.self, from: text)
    }

    private func refusal(_ text: String) -> JSONError? {
        do throws(JSONError) {
            _ = try result(text)
            return nil
        } catch {
            return error
        }
    }

    private func presentation(_ members: String) -> String {
        #"{"challenge": "c", "mobileCredentialResponse": {"credentials": [{"docType": "d", \#(members)}]}}"#
    }

    private let validity =
        #""validityInfo": {"signed": "2024-01-15T10:00:00Z", "validFrom": "2024-01-15T10:00:00Z", "#
        + #""validUntil": "2025-01-15T10:00:00Z"}"#

    private func expectSame(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let decoded = try result(text)
        let written = try StrictJSONEncoder().encode(decoded)
        #expect(try JSONValue(parsing: written) == JSONValue(parsing: text), sourceLocation: sourceLocation)
        #expect(try result(String(decoding: written, as: UTF8.self)) == decoded, sourceLocation: sourceLocation)
        let foundation = try JSONEncoder().encode(decoded)
        #expect(try JSONValue(parsing: foundation) == JSONValue(parsing: text), sourceLocation: sourceLocation)
        #expect(
            try JSONDecoder().decode(OnlinePresentationSessionResult.self, from: foundation) == decoded,
            sourceLocation: sourceLocation
        )
    }

    @Test func verifiedCredentials() throws {
        try expectSame(
            presentation(
                validity + #", "verificationResult": {"verified": true}, "#
                    + #""claims": {"n": {"a": {"value": "é"}, "b": {"value": [1, true, null, {"c": 0.5}]}}, "#
                    + #""m": {"big": {"value": 18446744073709551615}}}, "claimErrors": {"n": {"x": "notReturned"}}, "#
                    + #""issuerInfo": {"commonName": "I", "trustedIssuerId": "t"}, "#
                    + #""branding": {"name": "B", "issuerLogo": {"format": "png", "data": "AA=="}}"#
            )
        )
        try expectSame(presentation(#""verificationResult": {"verified": true}"#))
    }

    @Test func claimsByName() throws {
        let text = presentation(
            #""verificationResult": {"verified": true}, "claims": {"org.iso.18013.5.1": {"family_name": {"value": "Doe"}}}"#
        )
        let credential = try #require(try result(text).mobileCredentialResponse?.verifiedCredentials.first)
        #expect(credential.claims[.mDL]?["family_name"]?.value == "Doe")
        #expect(credential.claims[.mDL]?["given_name"] == nil)
        #expect(credential.docType == "d")
    }

    @Test(
        arguments: [
            "DeviceKeyInvalid", "InvalidSignerCertificate", "IssuerNotTrusted", "MobileCredentialExpired",
            "MobileCredentialNotYetValid", "MobileCredentialInvalid", "StatusRevoked", "StatusSuspended",
            "StatusUnknown", "TrustedIssuerCertificateExpired", "TrustedIssuerCertificateNotYetValid",
            "UnsupportedCurve", "SomethingNew",
        ]
    )
    func refusedCredentials(_ reason: String) throws {
        let text = presentation(
            validity
                + #", "verificationResult": {"verified": false, "reason": {"type": "\#(reason)", "message": "m"}}"#
        )
        try expectSame(text)
        let credential = try #require(try result(text).mobileCredentialResponse?.credentials.first)
        #expect(credential.verifiedCredential == nil)
        let expected = MobileCredentialPresentation.VerificationResult.Reason(
            FailureReason(rawValue: reason),
            message: "m"
        )
        #expect(credential.verificationResult == .failed(expected))
        #expect(credential.validityInfo?.validUntil == Date(timeIntervalSince1970: 1_736_935_200))
        #expect(credential.docType == "d")
    }

    @Test(arguments: ["SessionAborted", "ResponseError", "VerificationError", "WalletUnavailable", "Unknown", "Other"])
    func sessionErrors(_ type: String) throws {
        let text = #"{"challenge": "c", "error": {"type": "\#(type)", "message": "m"}}"#
        try expectSame(text)
        let error = try #require(try result(text).error)
        #expect(error.type.rawValue == type)
        #expect(error.description == "\(type): m")
        #expect(try result(text).mobileCredentialResponse == nil)
        #expect(throws: PresentationSessionError(.init(rawValue: type), message: "m")) {
            try result(text).outcome.get()
        }
    }

    @Test func sessionsWithoutAChallenge() throws {
        try expectSame(#"{"error": {"type": "Unknown", "message": "m"}}"#)
        try expectSame(#"{"mobileCredentialResponse": {}}"#)
    }

    @Test func absentCredentials() throws {
        let text =
            #"{"challenge": "c", "mobileCredentialResponse": "#
            + #"{"credentialErrors": [{"docType": "d", "errorCode": "notReturned"}]}}"#
        try expectSame(text)
        let response = try #require(try result(text).mobileCredentialResponse)
        #expect(response.credentialErrors == [CredentialError(docType: "d", errorCode: .notReturned)])
        #expect(response.credentials.isEmpty)
    }

    @Test func namesOfTheIssuersIdentifier() throws {
        func identifier(_ members: String) throws -> String? {
            let text = presentation(
                #""verificationResult": {"verified": true}, "issuerInfo": {"commonName": "I", \#(members)}"#
            )
            return try result(text).mobileCredentialResponse?.verifiedCredentials.first?.issuerInfo?.trustedIssuerId
        }
        #expect(try identifier(#""trustedIssuerId": "s2""#) == "s2")
        #expect(try identifier(#""trustedIssuerCertificateId": "s3""#) == "s3")
        #expect(try identifier(#""trustedIssuerId": "s", "trustedIssuerCertificateId": "s""#) == "s")
        #expect(throws: JSONError.self) {
            try identifier(#""trustedIssuerId": "a", "trustedIssuerCertificateId": "b""#)
        }
        #expect(throws: JSONError.self) { try identifier(#""other": 1"#) }
        let written = try StrictJSONEncoder().encodeValue(IssuerInfo(commonName: nil, trustedIssuerId: "t"))
        #expect(written == ["trustedIssuerId": "t"])
    }

    @Test func timesWithFractionsAndOffsets() throws {
        let text = presentation(
            #""verificationResult": {"verified": true}, "validityInfo": {"signed": "2024-01-15T12:00:00.75+02:00", "#
                + #""validFrom": "2024-01-15T10:00:00Z", "validUntil": "2025-01-15T10:00:00Z"}"#
        )
        let decoded = try result(text)
        let validity = try #require(decoded.mobileCredentialResponse?.credentials.first?.validityInfo)
        #expect(validity.signed == validity.validFrom)
        let written = try StrictJSONEncoder().encodeValue(validity)
        #expect(written["signed"] == "2024-01-15T10:00:00Z")
        #expect(written["expectedUpdate"] == nil)
    }

    @Test func timesThatHaveNoText() {
        let validity = ValidityInfo(
            signed: .distantPast,
            validFrom: .now,
            validUntil: Date(timeIntervalSince1970: 1e12)
        )
        #expect(throws: JSONError.self) { try StrictJSONEncoder().encode(validity) }
    }

    /// The members of a credential, with the code of the refusal.
    @Test(
        arguments: [
            (#""claims": {}"#, .missingMember),
            (#""verificationResult": {}"#, .missingMember),
            (#""verificationResult": {"verified": false}"#, .missingMember),
            (#""verificationResult": {"verified": "true"}"#, .typeMismatch),
            (#""verificationResult": {"verified": true, "reason": {"type": "t", "message": "m"}}"#, .invalidValue),
            (#""verificationResult": {"verified": false, "reason": {"type": "t"}}"#, .missingMember),
            (
                #""verificationResult": {"verified": false, "reason": {"type": "t", "message": "m"}}, "claims": {}"#,
                .invalidValue
            ),
            (#""verificationResult": {"verified": true}, "claims": {"n": {"a": "Doe"}}"#, .typeMismatch),
            (#""verificationResult": {"verified": true}, "claims": {"n": {"a": {}}}"#, .missingMember),
            (#""verificationResult": {"verified": true}, "claimErrors": {"n": ["a"]}"#, .typeMismatch),
            (#""verificationResult": {"verified": true}, "validityInfo": {"signed": "yesterday"}"#, .invalidValue),
            (#""verificationResult": {"verified": true}, "validityInfo": {"validFrom": "x"}"#, .missingMember),
            (#""verificationResult": {"verified": true}, "verificationResult": {"verified": true}"#, .duplicateName),
            (#""verificationResult": {"verified": true}, "branding": {}"#, .missingMember),
        ] as [(String, JSONError.Code)]
    )
    func credentialsThatAreRefused(_ members: String, _ code: JSONError.Code) {
        #expect(refusal(presentation(members))?.code == code)
    }

    @Test(
        arguments: [
            ("{}", .invalidValue),
            (#"{"challenge": "c"}"#, .invalidValue),
            (#"{"mobileCredentialResponse": {}, "error": {"type": "t", "message": "m"}}"#, .invalidValue),
            (#"{"challenge": 1, "mobileCredentialResponse": {}}"#, .typeMismatch),
            (#"{"error": {"type": "t"}}"#, .missingMember),
            (#"{"mobileCredentialResponse": {"credentialErrors": [{"docType": "d"}]}}"#, .missingMember),
            (#"{"mobileCredentialResponse": {"credentials": {}}}"#, .typeMismatch),
            (#"{"mobileCredentialResponse": {}} "#, nil),
            (#"{"mobileCredentialResponse": {},}"#, .trailingComma),
        ] as [(String, JSONError.Code?)]
    )
    func resultsThatAreRefused(_ text: String, _ code: JSONError.Code?) {
        #expect(refusal(text)?.code == code)
    }

    @Test func theChallengeIsComparedByteForByte() throws {
        let result = try result(#"{"challenge": "é", "mobileCredentialResponse": {}}"#)
        #expect(result.answers(challenge: "\u{e9}"))
        #expect(!result.answers(challenge: "e\u{301}"))
        #expect(!result.answers(challenge: ""))
        let other = OnlinePresentationSessionResult(challenge: nil, error: .init(.unknown))
        #expect(!other.answers(challenge: ""))
    }

    @Test func equalResultsHaveEqualTexts() throws {
        let forward = presentation(
            #""verificationResult": {"verified": true}, "claims": {"n": {"a": {"value": 1}, "b": {"value": 2}}, "m": {}}"#
        )
        let backward = presentation(
            #""claims": {"m": {}, "n": {"b": {"value": 2}, "a": {"value": 1}}}, "verificationResult": {"verified": true}"#
        )
        #expect(try result(forward) == result(backward))
        #expect(
            try StrictJSONEncoder().encode(result(forward)) == StrictJSONEncoder().encode(result(backward))
        )
    }

    @Test func logosInBase64() throws {
        let logo = Branding.Logo(format: "png", bytes: [0xff, 0xfe])
        #expect(logo.data == "//4=")
        #expect(try logo.bytes() == [0xff, 0xfe])
        let broken = #expect(throws: JSONError.self) { try Branding.Logo(format: "png", data: "_").bytes() }
        #expect(broken?.code == .invalidBase64)
    }
}
