import CredentialTransport
import Foundation
import HTTPTypes
import Testing

@Suite struct HTTPFreshnessTests {
    private static let url = "https://issuer.example/keys"
    private static let day = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let hourLater = "Sun, 06 Nov 1994 09:49:37 GMT"

    /// The lifetime by a header.
    private func lifetime(_ fields: HTTPFields) async throws -> TimeInterval? {
        let transport = InMemoryHTTPTransport([
            Self.url: InMemoryHTTPAnswer(status: 200, headerFields: fields, body: [1, 2])
        ])
        let response = try await transport.response(to: .get(HTTPURL(Self.url), accepting: .any))
        let document = FetchedDocument("value", from: response)
        #expect(document.size == 2)
        #expect(document.lifetime == response.freshnessLifetime)
        return document.lifetime
    }

    @Test(
        arguments: [
            ("max-age=600", 600), ("public, max-age=600, must-revalidate", 600), ("MAX-AGE = \"600\"", 600),
            ("max-age=0", 0), ("no-store", 0), ("no-cache", 0), ("no-cache, max-age=600", 0),
            ("max-age=600, no-store", 0), ("no-cache=\"set-cookie, max-age=5\"", 0), ("max-age=600, max-age=60", 60),
            ("private=\"a, no-store\", max-age=600", 600), ("max-age=99999999999999999999", 2_147_483_648),
            ("max-age", 0), ("max-age=", 0), ("max-age=-1", 0), ("max-age=1e3", 0), ("max-age=1.5", 0),
            ("s-maxage=600", nil), ("public", nil), ("", nil), (",,", nil),
        ] as [(String, TimeInterval?)]
    )
    func readsCacheControl(value: String, lifetime: TimeInterval?) async throws {
        #expect(try await self.lifetime([.cacheControl: value]) == lifetime)
    }

    @Test func severalFieldsCountTogether() async throws {
        var fields: HTTPFields = [:]
        fields[values: .cacheControl] = ["max-age=600", "no-store"]
        #expect(try await lifetime(fields) == 0)
    }

    @Test(
        arguments: [
            ("100", 500), ("600", 0), ("700", 0), (" 1 ", 599), ("-1", 600), ("old", 600), ("", 600),
        ] as [(String, TimeInterval)]
    )
    func takesOffTheAge(age: String, lifetime: TimeInterval) async throws {
        #expect(try await self.lifetime([.cacheControl: "max-age=600", .age: age]) == lifetime)
    }

    @Test(
        arguments: [
            (hourLater, day, 3600), (day, hourLater, 0), (day, day, 0), ("0", day, 0), ("-1", day, 0), ("", day, 0),
            ("Sunday, 06-Nov-94 09:49:37 GMT", day, 3600), ("Sun, 06 Nox 1994 09:49:37 GMT", day, 0),
            ("Sun, 06 Nov 1994 09:49:37 CET", day, 0), ("Sun, 06 Nov 1994 99:49:37 GMT", day, 0),
            (hourLater, "yesterday", nil),
        ] as [(String, String, TimeInterval?)]
    )
    func readsExpires(expires: String, date: String, lifetime: TimeInterval?) async throws {
        #expect(try await self.lifetime([.expires: expires, .date: date]) == lifetime)
    }

    @Test func expiresNeedsADateAndComesAfterMaxAge() async throws {
        #expect(try await lifetime([.expires: Self.hourLater]) == nil)
        #expect(try await lifetime([.date: Self.day]) == nil)
        #expect(try await lifetime([.expires: Self.hourLater, .date: Self.day, .age: "600"]) == 3000)
        let fields: HTTPFields = [.expires: Self.hourLater, .date: Self.day, .cacheControl: "max-age=60"]
        #expect(try await lifetime(fields) == 60)
    }

    /// Without `Date` the time of the answer takes its place (RFC 9110, section 6.6.1): the cache has it.
    @Test(
        arguments: [
            ([:], 3600), ([.age: "600"], 3000), ([.date: "yesterday"], 3600), ([.age: "7200"], 0),
            ([.cacheControl: "max-age=60"], 60), ([.cacheControl: "no-cache"], 0), ([.cacheControl: "public"], 3600),
        ] as [(HTTPFields, TimeInterval)]
    )
    func countsExpiresWithoutDateFromTheRequest(_ others: HTTPFields, lifetime: TimeInterval) async throws {
        var fields = others
        fields[.expires] = Self.hourLater
        fields[.contentType] = "application/json"
        let transport = InMemoryHTTPTransport([
            "https://a.example/": InMemoryHTTPAnswer(status: 200, headerFields: fields)
        ])
        let options = DocumentCacheOptions(minimumLifetime: 0, maximumLifetime: 86_400, defaultLifetime: 1)
        let cache = DocumentCache<String, Int, TransportError>(options: options)
        // Self.day in seconds.
        let time = Date(timeIntervalSince1970: 784_111_777)
        let document = try await cache.document(for: "a", at: time) { () async throws(TransportError) in
            let url = try HTTPURL("https://a.example/")
            return FetchedDocument(1, from: try await transport.response(to: .get(url, accepting: [.json])))
        }
        #expect(document.freshUntil == time.addingTimeInterval(lifetime))
        #expect(cache.keptDocument(for: "a", at: time)?.freshUntil == document.freshUntil)
    }
}
