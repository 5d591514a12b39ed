#if Server
import ArgumentParser
import CommandSupport
import CryptoCore
import Foundation
import KeyshareServer

/// `irma keyshare keygen`: makes a key that a keyshare server seals accounts with.
struct KeyshareKeygenCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "keygen",
        abstract: "Makes a storage key of a keyshare server.",
        discussion: "An existing file is left as it is: without its key, the accounts that it seals are lost."
    )

    @Option(name: [.customShort("k"), .long], help: "The file that the key is written to.")
    var keyFile = "storagekey.aes"

    @Option(name: [.customShort("c"), .long], help: "The number of the key, by which sealed accounts name it.")
    var counter: UInt32 = 0

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        var content = StorageKey.random(id: counter).encodedBytes.withUnsafeBytes { Data($0) }
        defer { content.resetBytes(in: content.startIndex..<content.endIndex) }
        try OutputFile(path: keyFile, replacedBy: nil).write(content, mode: 0o600, replacing: false)
        return Outcome(report: .fields(["storage key": .verbatim(keyFile), "counter": .text("\(counter)")]))
    }
}
#endif
