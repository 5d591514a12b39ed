import TestSupport
import Testing

/// Every file of the Wycheproof project that is there, each by the runner for its schema.
@Suite(.enabled(if: VectorSet("wycheproof").isAvailable, VectorSet.absence))
struct WycheproofTests {
    @Test(arguments: VectorSet("wycheproof").files(withExtension: "json"))
    func file(_ file: VectorFile) throws {
        let header = try file.decode(WycheproofHeader.self)
        let tally: WycheproofTally
        if let runner = Self.runners[header.schema] {
            tally = try runner(file, header)
        } else {
            tally = WycheproofTally(passingOver: header, because: "no runner for \(header.schema)")
        }
        tally.report(file)
    }

    private typealias Runner = @Sendable (VectorFile, WycheproofHeader) throws -> WycheproofTally

    private static let runners: [String: Runner] = [
        "aead_test_schema_v1.json": WycheproofAEAD.run,
        "hkdf_test_schema_v1.json": WycheproofHKDF.run,
        "keywrap_test_schema_v1.json": WycheproofKeyWrap.run,
        "mac_test_schema_v1.json": WycheproofMAC.run,
        "pbkdf_test_schema.json": WycheproofPBKDF2.run,
        "ind_cpa_test_schema_v1.json": WycheproofAESCBC.run,
    ]
}
