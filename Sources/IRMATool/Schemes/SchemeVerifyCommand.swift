import ArgumentParser
import CommandSupport
import Foundation
import IRMAMessages
import IdemixCore

/// `irma scheme verify`: checks one scheme, or all schemes of a folder.
struct SchemeVerifyCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verifies the signature and the content of schemes.",
        discussion: "The key is the one in the scheme's folder; its origin is not checked."
    )

    @Argument(help: "The folder of a scheme, or of schemes; by default the current one.")
    var path = "."

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let folder = SchemeFolder.absolute(path)
        var reports: [(name: String, value: Outline)] = []
        var isRefused = false
        for (name, folder) in try await schemes(in: folder) {
            do throws(IRMAError) {
                let files = try SchemeDirectory.files(inSchemeFolder: folder)
                reports.append((files.scheme.text, try Self.verify(files, in: folder)))
            } catch {
                guard error.code != .storageFailed else { throw ToolError("\(error)") }
                reports.append((name, .fields(["verdict": "refused", "reason": .text("\(error)")])))
                isRefused = true
            }
        }
        return Outcome(report: .fields(reports), isRefusal: isRefused)
    }

    /// The folders of schemes to verify: one that is a scheme's may have any name.
    private func schemes(in folder: URL) async throws -> [(name: String, folder: URL)] {
        guard !SchemeFolder.isScheme(folder.path) else { return [(folder.lastPathComponent, folder)] }
        let schemes = try await SchemeFolder.opened(folder.path).schemes()
        guard !schemes.isEmpty else {
            throw ToolError("\(path.escapedForDisplay(backslash: true)) has neither a scheme nor folders of schemes")
        }
        return schemes.map { ($0.text, folder.appendingPathComponent($0.text, isDirectory: true)) }
    }

    private static func verify(_ stored: SchemeFiles, in folder: URL) throws(IRMAError) -> Outline {
        let files = try stored.verified(by: try stored.storedPublicKey())
        guard files.files[RequestorScheme.descriptionPath] == nil else {
            let scheme = try RequestorScheme(files)
            return .fields([
                "verdict": "verified", "signed": .text(scheme.time.utcText),
                "requestors": .number(scheme.requestors.count),
            ])
        }
        let scheme = try IRMAScheme(files)
        try scheme.readAllKeys()
        try scheme.checkNewestKeys()
        try requireIndexed(files, in: folder)
        let warnings = scheme.keyWarnings(at: Console.current.now())
        return .fields([
            "verdict": "verified", "signed": .text(scheme.time.utcText), "issuers": .number(scheme.issuers.count),
            "credential types": .number(scheme.credentialTypes.count),
            "warnings": warnings.isEmpty ? nil : .list(warnings.map { .text($0) }),
        ])
    }

    /// Refuses descriptions of issuers and credential types in the folder that the index does not name: the reference reads
    /// them, and refuses the scheme.
    private static func requireIndexed(_ files: VerifiedSchemeFiles, in folder: URL) throws(IRMAError) {
        for issuer in names(in: folder) where issuer != ".git" {
            let types = names(in: folder.appendingPathComponent("\(issuer)/Issues")).map { "\(issuer)/Issues/\($0)" }
            for place in [issuer] + types {
                let path = SchemePath("\(place)/description.xml")
                guard files.files[path] == nil,
                    FileManager.default.fileExists(atPath: folder.appendingPathComponent(path.text).path)
                else { continue }
                throw IRMAError(.invalidScheme, "the file is not in the index", path: [files.scheme.text, path.text])
            }
        }
    }

    private static func names(in folder: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }
}

extension IRMAScheme {
    /// The newest keys that have expired, or will within 31 days, of issuers that are not deprecated.
    func keyWarnings(at time: Date) -> [String] {
        let now = time.timeIntervalSince1970
        return issuers.values.sorted { $0.id < $1.id }.compactMap { issuer in
            let deprecated = issuer.deprecatedSince.map(Double.init) ?? 0
            guard deprecated == 0 || deprecated > now, let counter = keyCounters(of: issuer.id).last,
                let key = publicKey(of: issuer.id, counter: counter)
            else { return nil }
            let expiry = key.expiryDate
            guard expiry >= time else { return "the newest key of \(issuer.id) expired at \(expiry.utcText)" }
            guard expiry < time + 31 * 86_400 else { return nil }
            return "the newest key of \(issuer.id) expires at \(expiry.utcText)"
        }
    }
}
