import CLibFuzzer
import Foundation
import FuzzTargets

/// Runs the fuzz target that `$FUZZ_TARGET` names; the arguments are libFuzzer's.
@main
enum Fuzz {
    private static let selected: FuzzTarget? = {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"]
        return FuzzTarget.all.first { $0.name == name }
    }()

    static func main() {
        guard selected != nil else {
            print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
            return
        }
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        let status = withUnsafeMutablePointer(to: &arguments) { pointer in
            pointer.withMemoryRebound(to: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?.self, capacity: 1) {
                LLVMFuzzerRunDriver(&count, $0) { start, count in
                    try? Fuzz.selected?.feed([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
                    return 0
                }
            }
        }
        exit(status)
    }
}
