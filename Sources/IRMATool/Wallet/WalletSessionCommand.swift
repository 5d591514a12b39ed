#if Client && SQLite
import ArgumentParser
import CommandSupport
import CryptoCore
import Foundation
import IRMAClient
import IRMAMessages
import JSONKit

/// `irma wallet session`: answers a request.
struct WalletSessionCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "Answers a session's request.",
        discussion: """
            The request is shown on standard error, and answered when the user agrees, or at once with --yes. With several \
            ways to answer, the first that is possible is chosen.
            """
    )

    @Argument(help: "The content of the QR code, or a link; - reads it from standard input.")
    var pointer: String

    @Option(
        name: .long,
        help: "The ways to answer, one number for each disjunction, separated by commas; the first is 0."
    )
    var choose: String?

    @Flag(name: [.customShort("y"), .long], help: "Answer without asking.")
    var yes = false

    @OptionGroup var wallet: WalletFileOptions
    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let text = pointer == "-" ? try Self.standardInput() : pointer
        return try await wallet.use { wallet in
            try await WalletSessionRun(choose: choose, answersAtOnce: yes).run(try wallet.session(scanned: text))
        }
    }

    private static func standardInput() throws(ToolError) -> String {
        let bytes = try InputFile(argument: "-").read(sizeLimit: SessionLink.maximumLength + 1)
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// A session of the wallet, and those that follow it in a chain.
struct WalletSessionRun: Sendable {
    let choose: String?
    let answersAtOnce: Bool

    /// The largest number of sessions in a chain.
    static let maximumChain = 16

    /// Answers the requests.
    func run(_ first: WalletSession) async throws -> Outcome {
        var entries: [SessionLogEntry] = []
        var returnURL: String?
        var next: WalletSession? = first
        while let session = next {
            guard entries.count < Self.maximumChain else {
                await session.cancel()
                throw ToolError("the chain has more than \(Self.maximumChain) sessions")
            }
            guard let outcome = try await answer(session) else {
                return Outcome(report: .fields(["status": "cancelled"]), isRefusal: true)
            }
            entries.append(outcome.entry)
            returnURL = outcome.returnURL ?? returnURL
            next = outcome.nextSession
        }
        return Outcome(
            report: .fields([
                "status": "done", "sessions": .list(entries.map(\.outline)),
                "return URL": returnURL.map { .verbatim($0) },
                "signature": try entries.last?.signature.map { .json(try $0.json()) },
            ])
        )
    }

    /// Answers one request; nil if the user does not want to.
    private func answer(_ session: WalletSession) async throws -> SessionOutcome? {
        let console = Console.current
        let request = try await session.request { code in
            console.error("Type this code in the browser: \(code.escapedForDisplay())")
        }
        do {
            let choice = try choice(request)
            console.error(request.outline(choice).lines.joined(separator: "\n"))
            if !answersAtOnce, await !console.confirms(["Answer? [y/N]"]) {
                await session.cancel()
                return nil
            }
            return try await answer(session, with: choice)
        } catch {
            await session.cancel()
            throw error
        }
    }

    /// Answers with a choice; an answer whose outcome is not known or not kept is sent once more.
    private func answer(_ session: WalletSession, with choice: WalletChoice) async throws -> SessionOutcome {
        do throws(WalletError) {
            return try await session.answer(choice) { await WalletFileOptions.pin($0) }
        } catch {
            guard await session.canResend, !Task.isCancelled else { throw error }
            Console.current.error("The answer is sent once more: \(error)")
        }
        do throws(WalletError) {
            return try await session.resend()
        } catch {
            guard await session.canResend else { throw error }
            throw ToolError(
                Self.storageFailures.contains(error.code)
                    ? "the server has the answer, and the wallet did not keep the outcome: \(error)"
                    : "the server may have the answer; its own did not come: \(error)"
            )
        }
    }

    private static let storageFailures: Set<WalletError.Code> = [.storageFailed, .storageConflict]

    private func choice(_ request: WalletRequest) throws -> WalletChoice {
        guard let choose else {
            guard let choice = request.firstChoice else {
                let missing = request.disjunctions.filter { $0.usableCandidates.isEmpty }.map { disjunction in
                    disjunction.disjunction.choices.map { conjunction in
                        conjunction.attributes.map(\.type.text).joined(separator: " and ")
                    }.joined(separator: " or ")
                }
                throw ToolError("the wallet cannot show \(missing.joined(separator: "; "))")
            }
            return choice
        }
        let positions = choose.split(separator: ",").map { Int($0) }
        guard !positions.contains(nil) else { throw ToolError("--choose: numbers separated by commas") }
        return try request.choice(of: positions.compactMap { $0 })
    }
}

extension WalletRequest {
    /// The request as the user sees it, with what a choice shows.
    fileprivate func outline(_ choice: WalletChoice) -> Outline {
        let shown = zip(choice.candidates, disjunctions).map { candidate, disjunction in
            Outline.fields(attributes(of: candidate, in: disjunction).map(\.member))
        }
        let shownAgain = repeated.map { Outline.fields($0.map(\.member)) }
        let offered = credentials.map { credential in
            Outline.fields([
                "type": .text(credential.type.text), "expires": .text(credential.expiresAt.utcText),
                "attributes": .fields(
                    credential.values.sorted { $0.key < $1.key }.map { name, value in
                        (name.text, value.map { .verbatim($0) } ?? "absent")
                    }
                ),
            ])
        }
        return .fields([
            "session": .text(kind.description), "requestor": .verbatim(requestor.host),
            "message": message.map { .verbatim($0) },
            "shows": shown.isEmpty ? nil : .list(shown),
            "shows again": shownAgain.isEmpty ? nil : .list(shownAgain),
            "issues": offered.isEmpty ? nil : .list(offered),
        ])
    }
}
#endif
