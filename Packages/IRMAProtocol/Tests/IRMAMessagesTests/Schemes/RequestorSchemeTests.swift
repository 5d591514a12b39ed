import Foundation
import IRMAMessages
import Testing

/// The rules about the content of schemes of requestors.
@Suite struct RequestorSchemeTests {
    private func files(
        _ requestors: String,
        of id: String = "demo",
        isDemo: Bool = false
    ) async throws -> VerifiedSchemeFiles {
        let description = #"{"id":"\#(id)","schemetype":"requestor","url":"https://s.example","demo":\#(isDemo)}"#
        let files: [SchemePath: [UInt8]] = [
            "description.json": SchemeFixture.bytes(description), "requestors.json": SchemeFixture.bytes(requestors),
        ]
        return try await SchemeFiles(scheme: SchemeIdentifier(id), files: files).signed(
            with: SchemeFixture().signer,
            at: SchemeFixture.time
        )
    }

    private func requestor(_ id: String, hosts: String, of scheme: String = "demo", wizards: String = "{}") -> String {
        #"{"id":"\#(id)","scheme":"\#(scheme)","name":{"en":"R"},"hostnames":[\#(hosts)],"wizards":\#(wizards)}"#
    }

    @Test func takesWhatBelongsToIt() async throws {
        let first = requestor("demo.r", hosts: #""a.example","b.example""#, wizards: #"{"demo.r.w":{"id":"demo.r.w"}}"#)
        let second = requestor("demo.s", hosts: #""c.example""#)
        #expect(try RequestorScheme(await files("[\(first),\(second)]")).requestors.count == 2)
        let demo = try RequestorScheme(await files("[\(requestor("demo.r", hosts: ""))]", isDemo: true))
        #expect(demo.isDemo && demo.requestors.count == 1)
    }

    @Test func demoSchemesHaveNoHostNames() async throws {
        await expectRefusal(.invalidScheme) {
            try RequestorScheme(await files("[\(requestor("demo.r", hosts: #""a.example""#))]", isDemo: true))
        }
    }

    @Test(arguments: ["other.r", "demo.r.s", "demos.r", "r"])
    func requestorsBelongToTheScheme(id: String) async throws {
        await expectRefusal(.invalidScheme) { try RequestorScheme(await files("[\(requestor(id, hosts: ""))]")) }
    }

    @Test(arguments: [
        #"{"demo.s.w":{"id":"demo.s.w"}}"#, #"{"demo.r.w":{"id":"demo.r.v"}}"#, #"{"demo.r.w":{}}"#,
        #"{"w":{"id":"w"}}"#,
    ])
    func wizardsBelongToTheirRequestor(wizards: String) async throws {
        let requestor = self.requestor("demo.r", hosts: "", wizards: wizards)
        await expectRefusal(.invalidScheme) { try RequestorScheme(await files("[\(requestor)]")) }
    }

    @Test func namesOccurOnce() async throws {
        let host = #""a.example""#
        let wizard = requestor("demo.r", hosts: "", wizards: #"{"demo.r.w":{"id":"demo.r.w"}}"#)
        for requestors in [
            requestor("demo.r", hosts: "\(host),\(host)"), requestor("demo.r", hosts: #""a.example","A.example""#),
            "\(requestor("demo.r", hosts: host)),\(requestor("demo.s", hosts: host))", "\(wizard),\(wizard)",
        ] {
            await expectRefusal(.invalidScheme) { try RequestorScheme(await files("[\(requestors)]")) }
        }
    }

    /// The name would stand for two requestors; the scheme that comes first has it.
    @Test func hostNamesBelongToOneScheme() async throws {
        let host = #""a.example""#
        let first = try await files("[\(requestor("demo.r", hosts: host))]")
        let second = try await files("[\(requestor("other.r", hosts: host, of: "other"))]", of: "other")
        let schemes = [try RequestorScheme(first), try RequestorScheme(second)]
        expectRefusal(.invalidScheme) { try SchemeSnapshot(requestorSchemes: schemes) }
        let reading = try await InMemorySchemeStore([second.stored, first.stored]).reading()
        #expect(Set(reading.snapshot.requestorSchemes.keys) == ["demo"])
        #expect(reading.errors.mapValues(\.code) == ["other": .invalidScheme])
        #expect(reading.snapshot.requestor(host: "a.example", at: SchemeFixture.time)?.id == "demo.r")
    }
}
