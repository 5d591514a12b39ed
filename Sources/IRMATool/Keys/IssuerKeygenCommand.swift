import ArgumentParser
import CommandSupport
import Foundation
import IRMAMessages
import IdemixCore

/// `irma scheme issuer keygen`: adds a key pair to an issuer of a scheme.
struct IssuerKeygenCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "keygen",
        abstract: "Generates an issuer's key pair.",
        discussion: """
            The keys go to PrivateKeys and PublicKeys in the issuer's folder, under the next number. The scheme has to be \
            signed again afterwards. Ctrl-C ends the search for primes, and nothing is written.
            """
    )

    @Argument(help: "The folder of the issuer in the scheme; by default the current one.")
    var path = "."

    @Option(name: [.customShort("c"), .long], help: "The number of the key; 0 stands for the next one.")
    var counter: UInt16 = 0

    @Option(
        name: [.customShort("a"), .customLong("numattributes")],
        help: "The number of bases: two more than a credential can have attributes."
    )
    var baseCount = 12

    @Option(name: [.customShort("l"), .customLong("keylength")], help: "The length of the modulus in bits.")
    var bits = 2_048

    @Option(
        name: [.customShort("v"), .customLong("valid-for")],
        help: "The time until the key expires: a number and y, M, d, h or m."
    )
    var validity = CalendarPeriod(years: 1)

    @Option(
        name: [.customShort("e"), .customLong("expirydate")],
        help: "The time at which the key expires, in RFC 3339."
    )
    var expiry: TimeArgument?

    @Option(name: [.customShort("s"), .customLong("privatekey")], help: "The file for the private key.")
    var privateKey: String?

    @Option(name: [.customShort("p"), .customLong("publickey")], help: "The file for the public key.")
    var publicKey: String?

    @Flag(name: [.customShort("f"), .customLong("force-overwrite")], help: "Replace existing files.")
    var force = false

    @OptionGroup var outputOptions: OutputOptions

    func validate() throws {
        guard IdemixSystemParameters.all.contains(where: { $0.modulus == bits }) else {
            throw ValidationError("--keylength must be 1024, 2048 or 4096")
        }
        guard (2...IdemixKeyElements.maximumBases).contains(baseCount) else {
            throw ValidationError("--numattributes must be 2 to \(IdemixKeyElements.maximumBases)")
        }
    }

    private static func file(_ path: String) -> OutputFile { OutputFile(path: path, replacedBy: "--force-overwrite") }

    func outcome() async throws -> Outcome {
        let folder = try IssuerKeyFolder(path: path)
        let counter = counter == 0 ? try Self.nextCounter(in: folder) : UInt(counter)
        let files = (
            private: Self.file(privateKey ?? folder.path(.privateKeys, counter)),
            public: Self.file(publicKey ?? folder.path(.publicKeys, counter))
        )
        // Before the work, so that a refusal wastes none.
        for file in [files.private, files.public] where !force { try file.requireAbsence() }
        let now = Console.current.now()
        guard let expiry = expiry?.date ?? validity.end(from: now), expiry > now else {
            throw ToolError("the key would expire in the past")
        }
        let keys = try await KeyGeneration.keyPair(bits: bits, counter: counter, expiry: expiry, baseCount: baseCount)
        for file in [files.private, files.public] { try file.makeFolder() }
        try files.private.write(try keys.privateKey.xml(), mode: 0o600, replacing: force)
        try files.public.write(keys.publicKey.xml, mode: 0o644, replacing: force)
        return Outcome(
            report: .fields([
                "private key": .verbatim(files.private.path), "public key": .verbatim(files.public.path),
                "counter": .number(Int(counter)), "expires": .text(expiry.utcText),
            ])
        )
    }

    /// The number after the largest one of the issuer's public keys; 0 for the first.
    private static func nextCounter(in folder: IssuerKeyFolder) throws(ToolError) -> UInt {
        guard let last = try folder.counters(.publicKeys).compactMap(UInt16.init(exactly:)).max() else { return 0 }
        guard last != .max else { throw ToolError("the issuer has used all numbers of keys") }
        return UInt(last) + 1
    }
}

/// A period on the command line: a number with a unit of the calendar, such as `1y`.
struct CalendarPeriod: ExpressibleByArgument, CustomStringConvertible, Sendable {
    let description: String
    private let components: DateComponents

    /// A period of years.
    init(years: Int) {
        description = "\(years)y"
        components = DateComponents(year: years)
    }

    init?(argument: String) {
        guard let unit = argument.last, let number = UInt16(argument.dropLast()) else { return nil }
        let count = Int(number)
        switch unit {
        case "y": components = DateComponents(year: count)
        case "M": components = DateComponents(month: count)
        case "d": components = DateComponents(day: count)
        case "h": components = DateComponents(hour: count)
        case "m": components = DateComponents(minute: count)
        default: return nil
        }
        description = argument
    }

    var defaultValueDescription: String { description }

    /// The end of the period in the calendar of ISO 8601 and UTC.
    func end(from start: Date) -> Date? {
        var calendar = Calendar(identifier: .iso8601)
        guard let utc = TimeZone(secondsFromGMT: 0) else { return nil }
        calendar.timeZone = utc
        return calendar.date(byAdding: components, to: start)
    }
}
