import ArgumentParser
import CommandSupport
import CryptoCore
import Foundation
import MdocKit
import MdocWallet
import SDJWTWallet

/// A wallet in a file, with its key in another.
struct StoredWallet: ParsableArguments {
    @Argument(help: "The file of the wallet.", completion: .file())
    var wallet: String

    @Option(
        name: .long,
        help: "The file of the wallet's key: 32 bytes, as `credential wallet init` writes them in hex."
    )
    var walletKey: InputFile

    /// The credentials of the wallet.
    func credentials() throws -> StoredCredentials { try StoredCredentials(at: wallet, key: walletKey) }
}

/// The credentials of a wallet's file, by format.
struct StoredCredentials {
    let mdocs: MdocCredentialStore
    let sdJWTs: SDJWTCredentialStore

    /// A credential with its format's store.
    enum Found {
        case mdoc(WalletCredential)
        case sdJWT(WalletCredential)

        var credential: WalletCredential {
            switch self {
            case .mdoc(let credential), .sdJWT(let credential): credential
            }
        }
    }

    /// Opens a wallet that exists.
    init(at path: String, key: InputFile) throws {
        let key = SecretBytes(try key.decoded().bytes)
        let storage = try FileCredentialStorage(path: path, key: key)
        guard try storage.exists() else {
            let name = path.escapedForDisplay(backslash: true)
            throw ToolError("there is no wallet at \(name): make it with `credential wallet init`")
        }
        mdocs = MdocCredentialStore(storage, options: .deployed)
        sdJWTs = SDJWTCredentialStore(storage)
    }

    /// All credentials, by the time of their addition.
    func all() async throws -> [WalletCredential] {
        try await (mdocs.credentials() + sdJWTs.credentials()).sorted { ($0.addedAt, $0.id) < ($1.addedAt, $1.id) }
    }

    /// The credential with an identifier.
    func credential(_ id: String) async throws -> Found {
        if let found = try await mdocs.credential(id) { return .mdoc(found) }
        if let found = try await sdJWTs.credential(id) { return .sdJWT(found) }
        throw ToolError("the wallet has no credential \(id.escapedForDisplay(backslash: true))")
    }
}

/// The number of presentations of a copy, as an argument: `once`, `until-expiry`, or a number.
struct RotationArgument: ExpressibleByArgument {
    let policy: RotationPolicy

    init?(argument: String) {
        switch argument {
        case "once": policy = .once
        case "until-expiry": policy = .untilExpiry
        default:
            guard let uses = UInt64(argument), uses >= 1 else { return nil }
            policy = .limited(uses: uses)
        }
    }
}

extension RotationPolicy {
    /// The policy, as the option takes it.
    fileprivate var text: String {
        switch maximumUses {
        case nil: "until-expiry"
        case 1?: "once"
        case let uses?: "\(uses)"
        }
    }
}

extension WalletCredential {
    /// The credential in a list.
    func outline(at time: Date) -> Outline {
        .fields([
            "id": .text(id),
            "type": .verbatim(type),
            "name": display.first.map { .verbatim($0.name) },
            "issuer": display.first?.issuerName.map { .verbatim($0) },
            "usable copies": .number(usableCopies(at: time).count),
            "copies": .number(copies.count),
            "rotation": .text(rotation.text),
            "needs refill": needsRefill(at: time) ? .flag(true) : nil,
            "valid from": validity.flatMap { $0.lowerBound.outline },
            "valid until": validity.flatMap { $0.upperBound.outline },
        ])
    }

    /// The copies with their uses.
    func copiesOutline(at time: Date) -> Outline {
        .list(
            copies.map { copy in
                .fields([
                    "copy": .number(Int(copy.number)),
                    "uses": .text("\(copy.uses)"),
                    "usable": .flag(copy.isValid(at: time) && copy.isUnspent(by: rotation)),
                    "valid until": copy.validUntil.outline,
                ])
            }
        )
    }
}

extension Date {
    /// The end of a validity; nil for one that a credential does not name.
    fileprivate var outline: Outline? {
        self == .distantPast || self == .distantFuture ? nil : .text(formatted(.iso8601))
    }
}
