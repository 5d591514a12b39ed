import Foundation
import Testing
import VerificationCore

/// The JSON form has the shape that the documentation promises.
@Suite struct ReportTests {
    /// A verification with everything that a report can hold.
    private static var verification: Verification<String> {
        let time = Date(timeIntervalSince1970: 1_800_000_000.5)
        var inner = Checklist([.digests], at: time)
        inner.record(.digests, .failed(.digestMismatch, "item 3"), at: ["items[3]"])
        var outer = Checklist([.structure, .status, .validity, .nonce, .audience, .holderBinding], at: time)
        outer.record(.structure, .passed)
        outer.record(.status, .unavailable(.statusUnknown, "offline"))
        outer.record(.validity, .notApplicable("no period"))
        outer.record(.nonce, .waived("replay policy"))
        outer.record(.audience, .waived("audience policy", "no audience is named"))
        outer.add(inner.verification(of: 1), named: "documents[0]")
        outer.add(Deviation("untaggedDate", at: ["a"], "a text"))
        outer.add(Deviation("emptyNameSpace"))
        return outer.verification(of: "value")
    }

    @Test func readsBack() throws {
        let report = Self.verification.report
        let read = try JSONDecoder().decode(VerificationReport.self, from: JSONEncoder().encode(report))
        #expect(read == report)
        #expect(read.refusal?.reason == "digestMismatch")
        let waived = read.checks.filter { $0.result == .waived }
        #expect(waived.map(\.policy) == ["replay policy", "audience policy"])
        #expect(waived.map(\.message) == ["replay policy", "no audience is named"])
        #expect(
            read.checks.map(\.result)
                == [.passed, .unavailable, .notApplicable, .waived, .waived, .notReached, .failed]
        )
    }

    @Test func followsTheSchemaOfTheDocumentation() throws {
        let article = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent()
            .appendingPathComponent("../../Sources/VerificationCore/VerificationCore.docc/JSONForm.md")
        let text = try String(contentsOf: article, encoding: .utf8)
        let block = try #require(text.components(separatedBy: "```json\n").dropFirst().first)
        let source = try #require(block.components(separatedBy: "\n```").first)
        let schema = try JSONSchema(Data(source.utf8))
        var verified = Checklist([], at: Date(timeIntervalSince1970: 0))
        verified.record("own", .passed)
        for report in [Self.verification.report, verified.verification(of: 1).report] {
            #expect(try schema.faults(in: JSONEncoder().encode(report)) == [])
        }
        for wrong in [
            #"{}"#, #"{"verdict":"maybe","time":1,"checks":[]}"#, #"{"verdict":"verified","time":1,"checks":[{}]}"#,
        ] {
            #expect(try schema.faults(in: Data(wrong.utf8)) != [])
        }
    }
}

/// As much of JSON Schema as the documentation's schema uses.
private struct JSONSchema {
    private let root: [String: Any]

    init(_ data: Data) throws {
        root = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// The places of a document that do not follow the schema.
    func faults(in data: Data) throws -> [String] {
        faults(try JSONSerialization.jsonObject(with: data), root, "$")
    }

    private func faults(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
        if let reference = schema["$ref"] as? String { return faults(value, resolved(reference), path) }
        if let allowed = schema["enum"] as? [String] {
            return allowed.contains { $0 == value as? String } ? [] : [path]
        }
        switch schema["type"] as? String {
        case "string": return value is String ? [] : [path]
        case "number": return value is NSNumber ? [] : [path]
        case "boolean": return value is Bool ? [] : [path]
        case "array":
            guard let items = value as? [Any], let item = schema["items"] as? [String: Any] else { return [path] }
            return items.enumerated().flatMap { faults($1, item, "\(path)[\($0)]") }
        case "object":
            guard let members = value as? [String: Any], let known = schema["properties"] as? [String: [String: Any]]
            else { return [path] }
            let missing = (schema["required"] as? [String] ?? []).filter { members[$0] == nil }
            return missing.map { "\(path).\($0)" }
                + members.flatMap { name, member in
                    known[name].map { faults(member, $0, "\(path).\(name)") } ?? ["\(path).\(name)"]
                }
        default: return [path]
        }
    }

    private func resolved(_ reference: String) -> [String: Any] {
        guard reference != "#", let name = reference.split(separator: "/").last else { return root }
        return (root["$defs"] as? [String: [String: Any]])?[String(name)] ?? [:]
    }
}
