import Dispatch
import Foundation
import Synchronization
import TestSupport

/// Feeds damaged variants of every vector file's inputs to the parsers: truncations and mutations, a sample of them or all.
///
/// The arguments are `--full`, `--seed N`, and parts of the names of files. A trap ends the process. An input that takes
/// seconds, or more memory than allowed, makes it exit 1.
@main
enum Mutations {
    private static let allowedMemory = 64 << 20
    private static let allowedTime = Duration.seconds(2)

    static func main() throws {
        guard let options = MutationOptions(CommandLine.arguments.dropFirst()) else {
            print("mutations: the arguments are [--full] [--seed N] [PART…]")
            exit(2)
        }
        let subjects = try MutationSubject.all().filter { options.includes($0.name) }
        if VectorSet.root == nil { print("mutations: \(VectorSet.absence)") }
        // Written at once, because a trap would discard buffered output.
        let seed = "mutations: seed \(options.seed), \(options.effort.mutations) mutations a file\n"
        FileHandle.standardOutput.write(Data(seed.utf8))
        PeakMemory.restart()
        let before = PeakMemory.bytes
        let total = sweep(subjects, options)
        let growth = before.flatMap { before in PeakMemory.bytes.map { $0 - before } }
        print("mutations: \(subjects.count) files: \(total)")
        if let before, let growth {
            print("mutations: at most \(growth >> 20) MiB more memory than the \(before >> 20) before")
        }
        let holds = !subjects.isEmpty && total.slowest <= allowedTime && growth ?? 0 <= allowedMemory
        exit(holds ? 0 : 1)
    }

    /// All files, on all cores.
    private static func sweep(_ subjects: [MutationSubject], _ options: MutationOptions) -> MutationTally {
        let total = Mutex(MutationTally())
        DispatchQueue.concurrentPerform(iterations: subjects.count) { index in
            let tally = subjects[index].sweep(options.effort, seed: options.seed)
            total.withLock { total in
                total += tally
                print("mutations: \(subjects[index].name): \(tally)")
            }
        }
        return total.withLock(\.self)
    }
}
