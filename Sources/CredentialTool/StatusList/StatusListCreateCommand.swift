import ArgumentParser
import CBORKit
import COSEKit
import CommandSupport
import CryptoCore
import Foundation
import JOSEKit
import StatusListKit

/// `credential status-list create`: signs a list of statuses.
struct StatusListCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Creates a status list token, and prints it or a snapshot with it.",
        discussion: """
            Credentials name the list by --uri and their index in it. Entries are valid unless --set says otherwise; \
            with --previous those of an earlier token are carried on, which is not verified. A snapshot holds several \
            tokens: the new one, and those of the files that --with names. --status of the verifying commands takes both; a web \
            server sends the token alone, without the line break behind it.
            """
    )

    @Option(name: .long, help: "The URI that credentials name the list by.")
    var uri: String

    @OptionGroup var keyOptions: SigningKeyOptions

    @Option(name: .long, help: "The number of entries; as many more as fill the last byte.")
    var entries: Int?

    @Option(name: .long, help: "The bits of an entry: 1, 2, 4 or 8. By default 1, or those of --previous.")
    var bits: StatusListBits?

    @Option(name: .long, help: "An entry that is not valid, such as 17=invalid, 18=suspended or 19=3; may be repeated.")
    var set: [StatusEntry] = []

    @Option(name: .long, help: "An earlier token of the list, whose entries are carried on.")
    var previous: InputFile?

    @Option(name: .long, help: "The form of the token.")
    var form = TokenForm.jwt

    @Option(
        name: .long,
        help: "The time when the token expires, in RFC 3339 such as 2024-10-01T12:00:00Z; by default in a week."
    )
    var expires: TimeArgument?

    @Option(name: .long, help: "The seconds for which receivers may keep the token before they fetch a fresh one.")
    var timeToLive: Int?

    @Flag(name: .long, help: "Print a snapshot: the token with the URI it is found by.")
    var snapshot = false

    @Option(name: .long, help: "A token or snapshot whose lists go into the snapshot too; may be repeated.")
    var with: [InputFile] = []

    @OptionGroup var encoding: BinaryOutputOptions

    func validate() throws {
        guard (entries == nil) != (previous == nil) else {
            throw ValidationError("Say how many --entries a new list has, or which --previous token is carried on.")
        }
        guard entries.map({ $0 > 0 }) ?? true else { throw ValidationError("--entries must be positive") }
        guard previous == nil || bits == nil else {
            throw ValidationError("--previous says how many bits an entry has")
        }
        guard snapshot || with.isEmpty else { throw ValidationError("--with belongs to --snapshot") }
    }

    func run() async throws {
        var list = try previous?.statusList() ?? StatusList(count: entries ?? 0, bits: bits?.bits ?? .one)
        for entry in set { try list.set(entry.status, at: entry.index) }
        let now = Console.current.now()
        let content = try StatusListContent(
            uri: uri,
            list: list,
            issuedAt: now,
            expirationTime: expires?.date ?? now.addingTimeInterval(7 * 86_400),
            timeToLive: timeToLive
        )
        let token = try await signed(content)
        guard snapshot else {
            guard form == .cwt || encoding.outputOptions.json else {
                return Console.current.output(String(decoding: token.encodedBytes, as: UTF8.self))
            }
            return encoding.print(token.encodedBytes, as: "Status List Token, \(form.rawValue.uppercased())")
        }
        var lists = StatusListSnapshot()
        for file in with {
            for list in try file.statusLists() { lists.insert(try file.token(list), for: list.uri) }
        }
        lists.insert(token, for: uri)
        encoding.print(lists.encoded(), as: "snapshot of status lists")
    }

    private func signed(_ content: StatusListContent) async throws -> StatusListToken {
        let signer = try keyOptions.signer()
        switch form {
        case .jwt: return try await content.signedJWT(header: try keyOptions.header(), with: signer)
        case .cwt:
            var headers = COSEHeaderMap()
            if let certificate = keyOptions.issuerCertificate {
                headers[.x5chain] = COSEHeaderMap.certificates(try certificate.certificates().map(\.derBytes))
            }
            if let keyID = keyOptions.keyID { headers[.kid] = .bytes(Array(keyID.utf8)) }
            return try await content.signedCWT(headers: COSEHeaders(protected: headers), with: signer)
        }
    }
}

/// The form of a token on the command line.
enum TokenForm: String, ExpressibleByArgument, CaseIterable, Sendable {
    case jwt
    case cwt
}

/// The bits of an entry on the command line.
struct StatusListBits: ExpressibleByArgument, Sendable {
    let bits: StatusList.Bits

    init?(argument: String) {
        guard let bits = Int(argument).flatMap(StatusList.Bits.init) else { return nil }
        self.bits = bits
    }
}

/// An entry of a list on the command line: an index, `=`, and `valid`, `invalid`, `suspended` or a number.
struct StatusEntry: ExpressibleByArgument, Sendable {
    let index: Int
    let status: StatusType

    init?(argument: String) {
        let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = Int(parts[0]), index >= 0 else { return nil }
        self.index = index
        switch parts[1] {
        case "valid": status = .valid
        case "invalid": status = .invalid
        case "suspended": status = .suspended
        default:
            guard let number = UInt8(parts[1]) else { return nil }
            status = StatusType(rawValue: number)
        }
    }
}
