import ArgumentParser
import CommandSupport
import CryptoCore
import Foundation
import MdocKit
import MdocWallet

/// A wallet in a file, with its key in another.
struct StoredWallet: ParsableArguments {
    @Argument(help: "The file of the wallet.", completion: .file())
    var wallet: String

    @Option(
        name: .long,
        help: "The file of the wallet's key: 32 bytes, as `credential wallet init` writes them in hex."
    )
    var key: InputFile

    /// The store of the wallet.
    func store() throws -> MdocCredentialStore { try Self.store(at: wallet, key: key) }

    /// The store of a wallet that exists.
    static func store(at path: String, key: InputFile) throws -> MdocCredentialStore {
        let key = SecretBytes(try key.decoded().bytes)
        let storage = try FileMdocStorage(path: path, key: key)
        guard try storage.exists() else {
            let name = path.escapedForDisplay(backslash: true)
            throw ToolError("there is no wallet at \(name): make it with `credential wallet init`")
        }
        return MdocCredentialStore(storage, options: .deployed)
    }

    /// A credential of the store.
    static func credential(_ id: String, in store: MdocCredentialStore) async throws -> WalletCredential {
        guard let credential = try await store.credential(id) else {
            throw ToolError("the wallet has no credential \(id.escapedForDisplay(backslash: true))")
        }
        return credential
    }
}

/// The number of presentations of a copy, as an argument: `once`, `until-expiry`, or a number.
struct RotationArgument: ExpressibleByArgument {
    let policy: RotationPolicy

    init(_ policy: RotationPolicy) {
        self.policy = policy
    }

    init?(argument: String) {
        switch argument {
        case "once": policy = .once
        case "until-expiry": policy = .untilExpiry
        default:
            guard let uses = UInt64(argument), uses >= 1 else { return nil }
            policy = .limited(uses: uses)
        }
    }

    var defaultValueDescription: String { policy.text }
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
            "docType": .verbatim(docType.text),
            "name": display.first.map { .verbatim($0.name) },
            "issuer": display.first?.issuerName.map { .verbatim($0) },
            "usable copies": .number(usableCopies(at: time).count),
            "copies": .number(copies.count),
            "rotation": .text(rotation.text),
            "needs refill": needsRefill(at: time) ? .flag(true) : nil,
            "valid from": validity.map { .text($0.lowerBound.formatted(.iso8601)) },
            "valid until": validity.map { .text($0.upperBound.formatted(.iso8601)) },
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
                    "valid until": .text(copy.validUntil.formatted(.iso8601)),
                ])
            }
        )
    }
}
