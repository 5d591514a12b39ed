import Foundation
import JSONKit
import LinkedDataKit
import Testing

/// Times as credentials and proofs write them.
struct DateTests {
    private func validFrom(_ text: String) throws -> Date? {
        try W3CCredentialContent(
            json: [
                "@context": "https://www.w3.org/ns/credentials/v2", "type": "VerifiableCredential",
                "issuer": "did:example:a", "credentialSubject": ["id": "did:example:b"], "validFrom": .string(text),
            ]
        ).validFrom
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0.0), ("2024-02-29T12:30:00Z", 1_709_209_800), ("2000-03-01T00:00:00Z", 951_868_800),
        ("2024-02-29T12:30:00.25Z", 1_709_209_800.25), ("2024-02-29T14:00:00+01:30", 1_709_209_800),
        ("2024-02-29T00:30:00-12:00", 1_709_209_800), ("0001-01-01T00:00:00Z", -62_135_596_800),
        ("9999-12-31T23:59:59Z", 253_402_300_799), ("2024-02-28T24:00:00.0Z", 1_709_164_800),
        ("2024-02-29T12:30:00.0000000000000000001Z", 1_709_209_800),
    ])
    func readsTimesWithAZone(_ text: String, _ seconds: Double) throws {
        #expect(try validFrom(text)?.timeIntervalSince1970 == seconds)
    }

    /// Verifiable Credentials Data Model 2.0, section 5.8.
    @Test(arguments: [
        ("2024-02-29T12:30:00", 1_709_209_800.0), ("2024-02-29T12:30:00.25", 1_709_209_800.25),
        ("2024-02-28T24:00:00", 1_709_164_800),
    ])
    func readsTimesWithoutAZoneAsUTC(_ text: String, _ seconds: Double) throws {
        #expect(try validFrom(text)?.timeIntervalSince1970 == seconds)
    }

    @Test(arguments: [
        "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z",
        "2024-04-31T00:00:00Z", "2024-01-00T00:00:00Z", "0000-01-01T00:00:00Z", "2024-01-01T24:00:01Z",
        "2024-01-01T24:00:00.1Z",
        "2024-01-01T00:60:00Z", "2024-01-01T00:00:60Z", "2024-01-01T00:00:60", "2024-01-01T00:00:00+14:01",
        "2024-01-01T00:00:00+1:00", "2024-01-01T00:00:00.Z", "2024-01-01t00:00:00Z", "2024-01-01T00:00:00z",
        "2024-01-01T00:00:00Z ", " 2024-01-01T00:00:00Z", "2024-01-01", "12024-01-01T00:00:00Z", "",
        "2024-01-01T00:00:00+", "2024-01-01T00:00:00 ", "2024-01-01T00:00", "2024-01-01T00:00:00.",
        "2024-01-01T00:00:00+00:60", "２024-01-01T00:00:00Z",
    ])
    func refusesOtherText(_ text: String) {
        #expect { try validFrom(text) } throws: { ($0 as? LinkedDataError)?.path == ["validFrom"] }
    }

    @Test func readsWhatItWrites() throws {
        for day in stride(from: -719_000, to: 2_900_000, by: 997) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 3661)
            let content = try W3CCredentialContent(
                issuer: "did:example:a",
                subjects: [["id": "did:example:b"]],
                validFrom: date
            )
            #expect(content.validFrom == date)
        }
    }

    @Test func writesTimesInUTC() throws {
        for (seconds, text) in [
            (1_709_209_800.75, "2024-02-29T12:30:00Z"), (-62_135_596_801, "0001-01-01T00:00:00Z"),
            (1e15, "9999-12-31T23:59:59Z"),
        ] {
            let content = try W3CCredentialContent(
                issuer: "did:example:a",
                subjects: [["id": "did:example:b"]],
                validFrom: Date(timeIntervalSince1970: seconds)
            )
            #expect(content.members["validFrom"]?.stringValue == text)
        }
    }
}
