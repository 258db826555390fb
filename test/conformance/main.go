// Command conformance runs chosen tests of the Gateway API's conformance suite against the cluster of KUBECONFIG, in
// one run: a second one would meet the namespaces of the first while they terminate.
//
//	conformance -list                                    all tests of the suite, as JSON
//	conformance -tests=A,B -results=FILE [suite flags]   runs these and writes how each ended
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sigs.k8s.io/gateway-api/conformance"
	"sigs.k8s.io/gateway-api/conformance/tests"
	"sigs.k8s.io/gateway-api/conformance/utils/suite"
	"sigs.k8s.io/gateway-api/pkg/features"
)

type knownTest struct {
	Name     string                 `json:"name"`
	Features []features.FeatureName `json:"features"`
}

type results struct {
	SetupSeconds float64 `json:"setupSeconds"`
	TestsSeconds float64 `json:"testsSeconds"`
	// Test name → passed, failed or skipped. What never ran is not in it.
	Tests map[string]string `json:"tests"`
}

func main() {
	testing.Init()
	list := flag.Bool("list", false, "print all tests as JSON and end")
	names := flag.String("tests", "", "comma-separated names of the tests to run")
	file := flag.String("results", "", "where to write how each test ended, as JSON")
	flag.Parse()

	if *list {
		if err := printTests(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	run := func(t *testing.T) { runTests(t, strings.Split(*names, ","), *file) }
	// The suite wants a *testing.T; this is how a program outside of `go test` gets one. It exits.
	testing.Main(func(string, string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "Conformance", F: run}}, nil, nil)
}

func printTests() error {
	known := make([]knownTest, 0, len(tests.ConformanceTests))
	for _, test := range tests.ConformanceTests {
		known = append(known, knownTest{test.ShortName, test.Features})
	}
	return json.NewEncoder(os.Stdout).Encode(known)
}

func runTests(t *testing.T, names []string, file string) {
	chosen := []suite.ConformanceTest{}
	for _, name := range names {
		index := slices.IndexFunc(tests.ConformanceTests, func(test suite.ConformanceTest) bool { return test.ShortName == name })
		require.NotEqualf(t, -1, index, "the suite has no test %q", name)
		chosen = append(chosen, tests.ConformanceTests[index])
	}

	ended := results{Tests: map[string]string{}}
	options := conformance.DefaultOptions(t)
	// The suite calls it under no lock, but parallel tests end one after the other only by chance.
	outcomes := make(chan [2]string, len(chosen))
	options.Hook = func(t *testing.T, test suite.ConformanceTest, _ *suite.ConformanceTestSuite) {
		outcomes <- [2]string{test.ShortName, outcome(t)}
	}
	conformanceSuite, err := suite.NewConformanceTestSuite(options)
	require.NoError(t, err)

	start := time.Now()
	conformanceSuite.Setup(t, chosen)
	ended.SetupSeconds = time.Since(start).Seconds()
	start = time.Now()
	// Parallel tests run on after Run; the group ends when all of them have.
	t.Run("tests", func(t *testing.T) { require.NoError(t, conformanceSuite.Run(t, chosen)) })
	ended.TestsSeconds = time.Since(start).Seconds()

	close(outcomes)
	for outcome := range outcomes {
		ended.Tests[outcome[0]] = outcome[1]
	}
	content, err := json.Marshal(ended)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, content, 0o600))
}

func outcome(t *testing.T) string {
	switch {
	case t.Failed():
		return "failed"
	case t.Skipped():
		return "skipped"
	}
	return "passed"
}
